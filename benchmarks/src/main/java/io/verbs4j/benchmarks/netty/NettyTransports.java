/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.netty;

import io.verbs4j.benchmarks.wire.Link;
import io.verbs4j.benchmarks.wire.Transport;
import io.verbs4j.benchmarks.wire.TransportType;
import java.util.function.Supplier;

/** Transports by Netty: a connection with one event loop at each end, and many at once. */
enum NettyTransports implements TransportType {
    /** RDMA, with a spin of 30 us before a loop sleeps. */
    VERBS_SPIN(() -> NettyKind.spinning(false), false),

    /** The same, with buffers of the registered allocator. */
    VERBS_SPIN_REGISTERED(() -> NettyKind.spinning(true), false),

    /** RDMA, without a spin. */
    VERBS_SLEEP(() -> NettyKind.sleeping(false), false),

    /** The same, with buffers of the registered allocator. */
    VERBS_SLEEP_REGISTERED(() -> NettyKind.sleeping(true), false),

    /** TCP by epoll. */
    TCP(NettyKind::tcp, false),

    /** Many connections of RDMA, without a spin. */
    VERBS_CROWD(() -> NettyKind.sleeping(false), true),

    /** Many connections of TCP by epoll. */
    TCP_CROWD(NettyKind::tcp, true);

    @SuppressWarnings("ImmutableEnumChecker") // constructors, all of them
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
