/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Sizes;
import io.verbs4j.benchmarks.harness.Unit;

/** RC sends, RDMA writes and RDMA reads between two processes, against NIO streams and against UCX. */
public final class RcAgainstStream implements Comparison {
    private static final int[] SIZES = {64 << 10, 1 << 20};
    private static final int SMALL = 64;

    private final Transports theirs;
    private final Transports fetched;
    private final Transports polled;

    private RcAgainstStream(Transports theirs, Transports fetched, Transports polled) {
        this.theirs = theirs;
        this.fetched = fetched;
        this.polled = polled;
    }

    /** Compares with TCP over the loopback interface. */
    public static RcAgainstStream tcp() {
        return new RcAgainstStream(Transports.TCP, Transports.TCP, Transports.TCP_POLLED);
    }

    /** Compares with Unix-domain sockets. */
    public static RcAgainstStream unix() {
        return new RcAgainstStream(Transports.UNIX, Transports.UNIX, Transports.UNIX_POLLED);
    }

    /** Compares with UCX: with messages, which are always polled for, and with gets. */
    public static Comparison jucx() {
        return rounds -> {
            JucxEnd.require();
            new RcAgainstStream(Transports.JUCX, Transports.JUCX_GET, Transports.JUCX).run(rounds);
        };
    }

    @Override
    public void run(Rounds rounds) throws Exception {
        for (Way way : Way.values()) {
            for (int size : SIZES) {
                stream(rounds, way, Transports.RC_SEND, theirs, "send-", size);
                stream(rounds, way, Transports.RC_WRITE, theirs, "write-", size);
                stream(rounds, way, Transports.RC_READ, fetched, "read-", size);
            }
            if (theirs != polled) {
                roundTrip(rounds, way, theirs, "round-trip-64B");
            }
            roundTrip(rounds, way, polled, "round-trip-64B-polled");
        }
    }

    private static void stream(Rounds rounds, Way way, Transports ours, Transports theirs, String what, int size)
            throws Exception {
        TwoProcesses.compare(
                rounds,
                way,
                0,
                processes -> processes.stream(ours, size, Unit.MEGABYTES_PER_SECOND),
                processes -> processes.stream(theirs, size, Unit.MEGABYTES_PER_SECOND),
                new Metric(way.prefix() + what + Sizes.text(size), Unit.MEGABYTES_PER_SECOND));
    }

    private static void roundTrip(Rounds rounds, Way way, Transports theirs, String name) throws Exception {
        String what = way.prefix() + name;
        TwoProcesses.compare(
                rounds,
                way,
                0,
                processes -> processes.roundTrip(Transports.RC_SEND, SMALL),
                processes -> processes.roundTrip(theirs, SMALL),
                new Metric(what, Unit.MICROSECONDS),
                new Metric(what + "-p99", Unit.MICROSECONDS));
    }
}
