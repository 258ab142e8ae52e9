/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.netty;

import io.verbs4j.benchmarks.wire.Link;
import io.verbs4j.benchmarks.wire.Transport;
import io.verbs4j.benchmarks.wire.TransportType;
import java.util.function.Supplier;

/** Netty transports: one connection with one event loop at each end, or many connections. */
enum NettyTransports implements TransportType {
    /** RDMA, with a spin of 30 us before a loop sleeps. */
    VERBS_SPIN(() -> NettyKind.spinning(false), false),

    /** RDMA with a spin, and buffers of the registered allocator. */
    VERBS_SPIN_REGISTERED(() -> NettyKind.spinning(true), false),

    /** RDMA, without a spin. */
    VERBS_SLEEP(() -> NettyKind.sleeping(false), false),

    /** RDMA without a spin, and buffers of the registered allocator. */
    VERBS_SLEEP_REGISTERED(() -> NettyKind.sleeping(true), false),

    /** TCP by epoll. */
    TCP(NettyKind::tcp, false),

    /** Many RDMA connections, without a spin. */
    VERBS_CROWD(() -> NettyKind.sleeping(false), true),

    /** Many TCP connections by epoll. */
    TCP_CROWD(NettyKind::tcp, true);

    @SuppressWarnings("ImmutableEnumChecker") // all are stateless factories
    private final Supplier<NettyKind> kind;

    private final boolean crowd;

    NettyTransports(Supplier<NettyKind> kind, boolean crowd) {
        this.kind = kind;
        this.crowd = crowd;
    }

    @Override
    public Transport open(Link link, boolean client, int size) throws Exception {
        return crowd ? new NettyCrowd(link, client, kind.get()) : new NettyStream(link, client, size, kind.get());
    }
}
