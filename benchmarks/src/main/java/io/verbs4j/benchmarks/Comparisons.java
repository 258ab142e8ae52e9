/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks;

import io.verbs4j.benchmarks.bulk.BulkAgainstSockets;
import io.verbs4j.benchmarks.bulk.BulkAgainstVerbs;
import io.verbs4j.benchmarks.cm.ConnectionRate;
import io.verbs4j.benchmarks.grpc.GrpcAgainstEpoll;
import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.local.LocalWrites;
import io.verbs4j.benchmarks.local.Posting;
import io.verbs4j.benchmarks.local.Scale;
import io.verbs4j.benchmarks.netty.NettyAgainstEpoll;
import io.verbs4j.benchmarks.rdmacore.Before;
import io.verbs4j.benchmarks.rdmacore.Efa;
import io.verbs4j.benchmarks.rdmacore.Layers;
import io.verbs4j.benchmarks.rdmacore.Memory;
import io.verbs4j.benchmarks.rdmacore.Mlx5;
import io.verbs4j.benchmarks.rdmacore.Mlx5Scale;
import io.verbs4j.benchmarks.rdmacore.RdmaCore;
import io.verbs4j.benchmarks.start.FirstMessage;
import io.verbs4j.benchmarks.wire.RcAgainstMemory;
import io.verbs4j.benchmarks.wire.RcAgainstStream;
import io.verbs4j.benchmarks.wire.RcAgainstUdp;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** All comparisons. To add one, write a class and add a constant here. */
public enum Comparisons {
    /** Moving data within one JVM. */
    RXE_LOCAL("rxe-local", "embedded device within one JVM: RDMA writes, against a memory copy", LocalWrites::new),

    /** Cost of an operation within one JVM. */
    RXE_POST(
            "rxe-post",
            "embedded device within one JVM: post and poll, against the JDK's ArrayBlockingQueue",
            Posting::new),

    /** Cost of an operation, by the number of queue pairs. */
    RXE_SCALE(
            "rxe-scale",
            "embedded device within one JVM: a write on one of 10,000 queue pairs, and on each in turn, against one",
            Scale::new),

    /** Bandwidth between processes. */
    RXE_TCP(
            "rxe-tcp",
            "embedded device between two processes: bandwidth and round trip, against NIO TCP",
            RcAgainstStream::tcp),

    /** The same, against the fastest sockets between processes of one machine. */
    RXE_UDS("rxe-uds", "the same, against Unix-domain sockets", RcAgainstStream::unix),

    /** The same, against the fastest library on RDMA adapters. */
    RXE_JUCX("rxe-jucx", "the same, against tagged messages and gets of UCX by jucx", RcAgainstStream::jucx),

    /** The same, against the limit. */
    RXE_RING(
            "rxe-ring",
            "embedded device between two processes: small messages, against a bare ring in mapped memory (the limit)",
            RcAgainstMemory::ring),

    /** The same, against a library for messages in shared memory. */
    RXE_AERON("rxe-aeron", "the same, against Aeron IPC", RcAgainstMemory::aeron),

    /** Message rate between processes. */
    RXE_UDP(
            "rxe-udp",
            "embedded device between two processes: small messages, against raw UDP (the floor)",
            RcAgainstUdp::new),

    /** Cost of the bulk transport. */
    BULK_VERBS(
            "bulk-verbs",
            "verbs-bulk between two processes: entries, bandwidth and notifications, against plain verbs",
            BulkAgainstVerbs::new),

    /** Gain of the bulk transport. */
    BULK_TCP(
            "bulk-tcp",
            "verbs-bulk between two processes: bandwidth, against NIO TCP and Unix-domain sockets",
            BulkAgainstSockets::new),

    /** Netty channels. */
    NETTY(
            "netty",
            "verbs-netty between two processes: echo, stream, 1,000 connections, against Netty's epoll over TCP",
            NettyAgainstEpoll::new),

    /** Gain for gRPC from these channels. */
    GRPC(
            "grpc",
            "gRPC over verbs-netty between two processes: unary calls and a stream, against Netty's epoll over TCP",
            GrpcAgainstEpoll::new),

    /** The first message of a program. */
    START(
            "start",
            "embedded device in a new JVM: time to the first completed write, against a pair of sockets",
            FirstMessage::new),

    /** Connections by address. */
    CM(
            "cm",
            "connection manager in Java: connections opened and closed, against the kernel's, both in the guest",
            ConnectionRate::new),

    /** Cost of a verb on a native device. */
    RDMA_CORE(
            "rdma-core",
            "verbs-rdma-core on a simulated mlx5 device: each verb's cost, against the same verb called from C",
            RdmaCore::new),

    /** Posting by mlx5's data path in Java. */
    MLX5_POST(
            "mlx5-post",
            "provider-mlx5 on a simulated device: post_send of one request, against libmlx5 from C and by JNA",
            Mlx5::post),

    /** Posting lists by mlx5's data path in Java. */
    MLX5_LIST("mlx5-list", "the same, lists of 64 requests", Mlx5::list),

    /** Polling by mlx5's data path in Java. */
    MLX5_POLL("mlx5-poll", "the same, poll_cq of 1 and of 16 completions, and as many read lazily", Mlx5::poll),

    /** Posting and polling by mlx5's data path in Java, by the number of queue pairs. */
    MLX5_SCALE(
            "mlx5-scale",
            "the same: a post and a poll beside 10,000 queue pairs, and on each in turn, against one, and against C",
            Mlx5Scale::new),

    /** Posting by EFA's data path in Java. */
    EFA_POST(
            "efa-post",
            "provider-efa on a simulated device: one request and lists of 64, against libefa from C",
            Efa::post),

    /** Polling by EFA's data path in Java. */
    EFA_POLL("efa-poll", "the same, poll_cq of 1 and of 16 completions", Efa::poll),

    /** Cost of the layers above a data path. */
    MLX5_LAYERS(
            "mlx5-layers",
            "a post through the API, against the same post to the same ring: with one provider, and with four",
            Layers::new),

    /** Cost of the data paths, by the way of accessing memory. */
    MEMORY(
            "memory",
            "the data paths in Java with the JDK's foreign memory API, against sun.misc.Unsafe; JDK 22 or newer",
            Memory::new),

    /** The previous release. */
    BEFORE(
            "before",
            "the data path of levels 1 to 3: the current libraries, against the previous release's",
            Before::new);

    private final String label;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // all are stateless factories
    private final Supplier<Comparison> maker;

    Comparisons(String label, String description, Supplier<Comparison> maker) {
        this.label = label;
        this.description = description;
        this.maker = maker;
    }

    /** Returns the name on the command line. */
    public String label() {
        return label;
    }

    /** Returns a one-line description. */
    public String description() {
        return description;
    }

    /** Creates the comparison. */
    public Comparison make() {
        return maker.get();
    }

    /** Finds a comparison by its name. */
    public static Optional<Comparisons> named(String label) {
        return Arrays.stream(values()).filter(c -> c.label.equals(label)).findFirst();
    }

    /** Returns all names. */
    public static List<String> labels() {
        return Arrays.stream(values()).map(Comparisons::label).toList();
    }
}
