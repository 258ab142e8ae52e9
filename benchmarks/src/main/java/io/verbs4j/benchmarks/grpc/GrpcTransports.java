/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.grpc;

import io.verbs4j.benchmarks.netty.NettyKind;
import io.verbs4j.benchmarks.wire.Link;
import io.verbs4j.benchmarks.wire.Transport;
import io.verbs4j.benchmarks.wire.TransportType;
import java.util.function.Supplier;

/** Calls of gRPC, and what they go over. */
enum GrpcTransports implements TransportType {
    /** RDMA with a spin of 30 us: calls one after the other. */
    SPIN_ONE(() -> NettyKind.spinning(false), 1),

    /** The same, many at once. */
    SPIN_MANY(() -> NettyKind.spinning(false), GrpcTransports.MANY),

    /** The same, one stream of messages. */
    SPIN_STREAM(() -> NettyKind.spinning(false), GrpcCalls.STREAM),

    /** RDMA without a spin: calls one after the other. */
    SLEEP_ONE(() -> NettyKind.sleeping(false), 1),

    /** The same, many at once. */
    SLEEP_MANY(() -> NettyKind.sleeping(false), GrpcTransports.MANY),

    /** The same, one stream of messages. */
    SLEEP_STREAM(() -> NettyKind.sleeping(false), GrpcCalls.STREAM),

    /** TCP by epoll: calls one after the other. */
    TCP_ONE(NettyKind::tcp, 1),

    /** The same, many at once. */
    TCP_MANY(NettyKind::tcp, GrpcTransports.MANY),

    /** The same, one stream of messages. */
    TCP_STREAM(NettyKind::tcp, GrpcCalls.STREAM);

    private static final int MANY = 100;

    @SuppressWarnings("ImmutableEnumChecker") // constructors, all of them
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
