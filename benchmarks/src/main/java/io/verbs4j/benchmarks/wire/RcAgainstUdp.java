/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Unit;

/** Small RC sends between two processes, against raw UDP datagrams: the floor for RoCE v2 in software. */
public final class RcAgainstUdp implements Comparison {
    private static final int SMALL = 64;

    @Override
    public void run(Rounds rounds) throws Exception {
        for (Way way : Way.values()) {
            run(rounds, way);
        }
    }

    private static void run(Rounds rounds, Way way) throws Exception {
        stream(rounds, way, Transports.RC_SEND, "send-64B");
        stream(rounds, way, Transports.RC_SEND_LIST, "send-64B-list" + RcSends.LIST);
        TwoProcesses.compare(
                rounds,
                way,
                0,
                processes -> processes.roundTrip(Transports.RC_SEND, SMALL),
                processes -> processes.roundTrip(Transports.UDP, SMALL),
                new Metric(way.prefix() + "round-trip-64B", Unit.MICROSECONDS),
                new Metric(way.prefix() + "round-trip-64B-p99", Unit.MICROSECONDS));
    }

    private static void stream(Rounds rounds, Way way, Transports ours, String what) throws Exception {
        TwoProcesses.compare(
                rounds,
                way,
                0,
                processes -> processes.stream(ours, SMALL, Unit.MESSAGES_PER_SECOND),
                processes -> processes.stream(Transports.UDP, SMALL, Unit.MESSAGES_PER_SECOND),
                new Metric(way.prefix() + what, Unit.MESSAGES_PER_SECOND));
    }
}
