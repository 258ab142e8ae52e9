/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.netty;

import static io.verbs4j.benchmarks.netty.NettyTransports.TCP;
import static io.verbs4j.benchmarks.netty.NettyTransports.TCP_CROWD;
import static io.verbs4j.benchmarks.netty.NettyTransports.VERBS_CROWD;
import static io.verbs4j.benchmarks.netty.NettyTransports.VERBS_SLEEP;
import static io.verbs4j.benchmarks.netty.NettyTransports.VERBS_SLEEP_REGISTERED;
import static io.verbs4j.benchmarks.netty.NettyTransports.VERBS_SPIN;
import static io.verbs4j.benchmarks.netty.NettyTransports.VERBS_SPIN_REGISTERED;

import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Unit;
import io.verbs4j.benchmarks.wire.TransportType;
import io.verbs4j.benchmarks.wire.TwoProcesses;
import io.verbs4j.benchmarks.wire.Way;

/** Netty channels between two processes: those of verbs-netty, against those of Netty's epoll transport over TCP. */
public final class NettyAgainstEpoll implements Comparison {
    private static final int SMALL = 64;
    private static final int LARGE = 64 << 10;
    private static final int WARM_UPS = 8;
    private static final int CONNECTIONS = 1000;

    /** Number of connections for each second of a measurement, so that a short measurement is short. */
    private static final int CONNECTIONS_PER_SECOND = 2000;

    @Override
    public void run(Rounds rounds) throws Exception {
        echo(rounds, VERBS_SPIN, SMALL, "spin-echo-64B");
        echo(rounds, VERBS_SLEEP, SMALL, "sleep-echo-64B");
        echo(rounds, VERBS_SPIN, LARGE, "spin-echo-64KiB");
        echo(rounds, VERBS_SPIN_REGISTERED, LARGE, "spin-echo-64KiB-registered");
        echo(rounds, VERBS_SLEEP, LARGE, "sleep-echo-64KiB");
        echo(rounds, VERBS_SLEEP_REGISTERED, LARGE, "sleep-echo-64KiB-registered");
        stream(rounds, VERBS_SPIN, "spin-stream-64KiB");
        stream(rounds, VERBS_SPIN_REGISTERED, "spin-stream-64KiB-registered");
        stream(rounds, VERBS_SLEEP, "sleep-stream-64KiB");
        stream(rounds, VERBS_SLEEP_REGISTERED, "sleep-stream-64KiB-registered");
        connect(rounds, "connect-1000-at-once");
    }

    private static void connect(Rounds rounds, String what) throws Exception {
        TwoProcesses.compare(
                rounds,
                Way.ONE_COPY,
                0,
                processes -> processes.performance(VERBS_CROWD, CONNECTIONS, CONNECTIONS_PER_SECOND),
                processes -> processes.performance(TCP_CROWD, CONNECTIONS, CONNECTIONS_PER_SECOND),
                new Metric(what, Unit.MICROSECONDS),
                new Metric(what + "-heap-each", Unit.KIBIBYTES));
    }

    private static void echo(Rounds rounds, TransportType ours, int size, String what) throws Exception {
        TwoProcesses.compare(
                rounds,
                Way.ONE_COPY,
                WARM_UPS,
                processes -> processes.roundTrip(ours, size),
                processes -> processes.roundTrip(TCP, size),
                new Metric(what, Unit.MICROSECONDS),
                new Metric(what + "-p99", Unit.MICROSECONDS),
                new Metric(what + "-cpu", Unit.PROCESSOR_MICROSECONDS));
    }

    private static void stream(Rounds rounds, TransportType ours, String what) throws Exception {
        TwoProcesses.compare(
                rounds,
                Way.ONE_COPY,
                WARM_UPS,
                processes -> processes.stream(ours, LARGE, Unit.MEGABYTES_PER_SECOND),
                processes -> processes.stream(TCP, LARGE, Unit.MEGABYTES_PER_SECOND),
                new Metric(what, Unit.MEGABYTES_PER_SECOND),
                new Metric(what + "-cpu", Unit.PROCESSOR_SECONDS_PER_GIGABYTE));
    }
}
