/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.grpc;

import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Unit;
import io.verbs4j.benchmarks.wire.TransportType;
import io.verbs4j.benchmarks.wire.TwoProcesses;
import io.verbs4j.benchmarks.wire.Way;

/** grpc-netty between two processes: over verbs-netty, against Netty's epoll transport over TCP. */
public final class GrpcAgainstEpoll implements Comparison {
    private static final int SMALL = 1 << 10;
    private static final int LARGE = 1 << 20;

    /** More than elsewhere: a gRPC call runs much code, most of which must be compiled before measuring makes sense. */
    private static final int WARM_UPS = 36;

    @Override
    public void run(Rounds rounds) throws Exception {
        calls(rounds, GrpcTransports.SPIN_ONE, GrpcTransports.TCP_ONE, "spin-unary-1KiB");
        calls(rounds, GrpcTransports.SPIN_MANY, GrpcTransports.TCP_MANY, "spin-unary-1KiB-100-at-once");
        stream(rounds, GrpcTransports.SPIN_STREAM, "spin-stream-1MiB");
        calls(rounds, GrpcTransports.SLEEP_ONE, GrpcTransports.TCP_ONE, "sleep-unary-1KiB");
        calls(rounds, GrpcTransports.SLEEP_MANY, GrpcTransports.TCP_MANY, "sleep-unary-1KiB-100-at-once");
        stream(rounds, GrpcTransports.SLEEP_STREAM, "sleep-stream-1MiB");
    }

    private static void calls(Rounds rounds, TransportType ours, TransportType theirs, String what) throws Exception {
        compare(rounds, ours, theirs, SMALL, Unit.CALLS_PER_SECOND, what, Unit.PROCESSOR_MICROSECONDS);
    }

    private static void stream(Rounds rounds, TransportType ours, String what) throws Exception {
        compare(
                rounds,
                ours,
                GrpcTransports.TCP_STREAM,
                LARGE,
                Unit.MEGABYTES_PER_SECOND,
                what,
                Unit.PROCESSOR_SECONDS_PER_GIGABYTE);
    }

    private static void compare(
            Rounds rounds, TransportType ours, TransportType theirs, int size, Unit unit, String what, Unit processor)
            throws Exception {
        TwoProcesses.compare(
                rounds,
                Way.ONE_COPY,
                WARM_UPS,
                processes -> processes.stream(ours, size, unit),
                processes -> processes.stream(theirs, size, unit),
                new Metric(what, unit),
                new Metric(what + "-cpu", processor));
    }
}
