/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.grpc;

import io.verbs4j.benchmarks.netty.NettyKind;
import io.verbs4j.benchmarks.wire.Link;
import io.verbs4j.benchmarks.wire.Transport;
import io.verbs4j.benchmarks.wire.TransportType;
import java.util.function.Supplier;

/** Kinds of gRPC calls, with the transports below them. */
enum GrpcTransports implements TransportType {
    /** RDMA with a spin of 30 us: consecutive calls. */
    SPIN_ONE(() -> NettyKind.spinning(false), 1),

    /** RDMA with a spin of 30 us: many concurrent calls. */
    SPIN_MANY(() -> NettyKind.spinning(false), GrpcTransports.MANY),

    /** RDMA with a spin of 30 us: one stream of messages. */
    SPIN_STREAM(() -> NettyKind.spinning(false), GrpcCalls.STREAM),

    /** RDMA without a spin: consecutive calls. */
    SLEEP_ONE(() -> NettyKind.sleeping(false), 1),

    /** RDMA without a spin: many concurrent calls. */
    SLEEP_MANY(() -> NettyKind.sleeping(false), GrpcTransports.MANY),

    /** RDMA without a spin: one stream of messages. */
    SLEEP_STREAM(() -> NettyKind.sleeping(false), GrpcCalls.STREAM),

    /** TCP by epoll: consecutive calls. */
    TCP_ONE(NettyKind::tcp, 1),

    /** TCP by epoll: many concurrent calls. */
    TCP_MANY(NettyKind::tcp, GrpcTransports.MANY),

    /** TCP by epoll: one stream of messages. */
    TCP_STREAM(NettyKind::tcp, GrpcCalls.STREAM);

    private static final int MANY = 100;

    @SuppressWarnings("ImmutableEnumChecker") // all are stateless factories
    private final Supplier<NettyKind> kind;

    private final int atOnce;

    GrpcTransports(Supplier<NettyKind> kind, int atOnce) {
        this.kind = kind;
        this.atOnce = atOnce;
    }

    @Override
    public Transport open(Link link, boolean client, int size) throws Exception {
        return new GrpcCalls(link, client, size, kind.get(), atOnce);
    }
}
