/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

/** The transports there are, by the names that the processes tell each other. */
enum Transports {
    /** Embedded device: sends, one per post. */
    RC_SEND((link, client, size) -> new RcSends(link, size, 1)),

    /** Embedded device: sends, posted in lists. */
    RC_SEND_LIST((link, client, size) -> new RcSends(link, size, RcSends.LIST)),

    /** Embedded device: RDMA writes. */
    RC_WRITE((link, client, size) -> new RcWrites(link, size)),

    /** NIO TCP, blocking. */
    TCP((link, client, size) -> NioStream.tcp(link, client, size, true)),

    /** NIO TCP, polled without a pause. */
    TCP_POLLED((link, client, size) -> NioStream.tcp(link, client, size, false)),

    /** NIO Unix-domain sockets, blocking. */
    UNIX((link, client, size) -> NioStream.unix(link, client, size, true)),

    /** The same, polled without a pause. */
    UNIX_POLLED((link, client, size) -> NioStream.unix(link, client, size, false)),

    /** UCX by jucx, polled without a pause. */
    JUCX((link, client, size) -> new Jucx(link, size)),

    /** NIO UDP, polled without a pause. */
    UDP((link, client, size) -> new Udp(link, size));

    /** Makes an end of a transport. */
    private interface Maker {
        Transport make(Link link, boolean client, int size) throws Exception;
    }

    @SuppressWarnings("ImmutableEnumChecker") // constructors, all of them
    private final Maker maker;

    Transports(Maker maker) {
        this.maker = maker;
    }

    Transport open(Link link, boolean client, int size) throws Exception {
        return maker.make(link, client, size);
    }
}
