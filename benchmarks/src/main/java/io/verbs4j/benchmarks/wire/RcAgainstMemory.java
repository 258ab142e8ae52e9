/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Sizes;
import io.verbs4j.benchmarks.harness.Unit;

/** RC messages between two processes by one copy, against messages in memory that both have mapped. All sides poll. */
public final class RcAgainstMemory implements Comparison {
    private static final int SMALL = 64;
    private static final int[] SIZES = {SMALL, 4 << 10};

    private final Transports theirs;

    private RcAgainstMemory(Transports theirs) {
        this.theirs = theirs;
    }

    /** Compares with a bare ring, the limit. */
    public static RcAgainstMemory ring() {
        return new RcAgainstMemory(Transports.BARE_RING);
    }

    /** Compares with Aeron's channels between processes of one machine. */
    public static RcAgainstMemory aeron() {
        return new RcAgainstMemory(Transports.AERON_IPC);
    }

    @Override
    public void run(Rounds rounds) throws Exception {
        for (int size : SIZES) {
            roundTrip(rounds, Transports.RC_SEND, "send-round-trip-", size);
            roundTrip(rounds, Transports.RC_MEMORY, "write-round-trip-", size);
        }
        TwoProcesses.compare(
                rounds,
                Way.ONE_COPY,
                0,
                processes -> processes.stream(Transports.RC_SEND_LIST, SMALL, Unit.MESSAGES_PER_SECOND),
                processes -> processes.stream(theirs, SMALL, Unit.MESSAGES_PER_SECOND),
                new Metric("send-64B-list" + RcSends.LIST, Unit.MESSAGES_PER_SECOND));
    }

    private void roundTrip(Rounds rounds, Transports ours, String name, int size) throws Exception {
        String what = name + Sizes.text(size);
        TwoProcesses.compare(
                rounds,
                Way.ONE_COPY,
                0,
                processes -> processes.roundTrip(ours, size),
                processes -> processes.roundTrip(theirs, size),
                new Metric(what, Unit.MICROSECONDS),
                new Metric(what + "-p99", Unit.MICROSECONDS));
    }
}
