/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

/** Transports of plain verbs, and those that they are compared with. */
public enum Transports implements TransportType {
    /** Embedded device: sends, one per post. */
    RC_SEND((link, client, size) -> new RcSends(link, size, 1, false)),

    /** Embedded device: sends, posted in lists. */
    RC_SEND_LIST((link, client, size) -> new RcSends(link, size, RcSends.LIST, false)),

    /** Embedded device: RDMA writes. */
    RC_WRITE((link, client, size) -> new RcWrites(link, size)),

    /** Embedded device: RDMA reads. */
    RC_READ((link, client, size) -> new RcReads(link, size)),

    /** Embedded device: ping-pong of RDMA writes that the programs see in memory. */
    RC_MEMORY((link, client, size) -> new RcMemory(link, size)),

    /** Embedded device: ping-pong of RDMA writes with immediate data. */
    RC_TOLD((link, client, size) -> new RcSends(link, size, 1, true)),

    /** Embedded device: lists of RDMA writes, one list in flight at a time. */
    RC_BATCH((link, client, size) -> new RcBatches(link, size, 1)),

    /** Embedded device: lists of RDMA writes, with as many in flight as a bulk connection has. */
    RC_BATCHES((link, client, size) -> new RcBatches(link, size, RcBatches.WINDOW)),

    /** NIO TCP, blocking. */
    TCP((link, client, size) -> NioStream.tcp(link, client, size, true)),

    /** NIO TCP, polled continuously. */
    TCP_POLLED((link, client, size) -> NioStream.tcp(link, client, size, false)),

    /** NIO Unix-domain sockets, blocking. */
    UNIX((link, client, size) -> NioStream.unix(link, client, size, true)),

    /** NIO Unix-domain sockets, polled continuously. */
    UNIX_POLLED((link, client, size) -> NioStream.unix(link, client, size, false)),

    /** UCX by jucx: tagged messages. */
    JUCX((link, client, size) -> new JucxMessages(link, size)),

    /** UCX by jucx: gets. */
    JUCX_GET((link, client, size) -> new JucxGets(link, size)),

    /** A ring in mapped memory, and nothing else. */
    BARE_RING(BareRing::new),

    /** Aeron between processes of one machine. */
    AERON_IPC(AeronIpc::new),

    /** NIO UDP, polled continuously. */
    UDP((link, client, size) -> new Udp(link, size));

    @SuppressWarnings("ImmutableEnumChecker") // all are stateless factories
    private final Maker maker;

    Transports(Maker maker) {
        this.maker = maker;
    }

    @Override
    public Transport open(Link link, boolean client, int size) throws Exception {
        return maker.make(link, client, size);
    }
}
