/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.bulk;

import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Side;
import io.verbs4j.benchmarks.harness.Sizes;
import io.verbs4j.benchmarks.harness.Unit;
import io.verbs4j.benchmarks.harness.WarmSide;
import io.verbs4j.benchmarks.wire.TransportType;
import io.verbs4j.benchmarks.wire.Transports;
import io.verbs4j.benchmarks.wire.TwoProcesses;
import io.verbs4j.benchmarks.wire.Way;
import java.util.List;

/**
 * One-copy PUTs that notify the receiver, against NIO sockets: TCP over the loopback interface, and Unix-domain
 * sockets.
 */
public final class BulkAgainstSockets implements Comparison {
    private static final int[] SIZES = {64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20};

    private static final int WARM_UPS = 8;
    private static final String TCP = "-vs-tcp";

    @Override
    public void run(Rounds rounds) throws Exception {
        for (int size : SIZES) {
            String what = "put-" + Sizes.text(size);
            if (!rounds.measures(what + TCP)) {
                continue;
            }
            try (TwoProcesses processes = new TwoProcesses(rounds.pinned(), Way.ONE_COPY)) {
                rounds.compare(
                        stream(processes, BulkTransports.PUT_NOTIFY, size),
                        List.of(
                                rival(stream(processes, Transports.TCP, size), what + TCP),
                                rival(stream(processes, Transports.UNIX, size), what + "-vs-unix")));
            }
        }
    }

    private static Side stream(TwoProcesses processes, TransportType which, int size) throws Exception {
        return new WarmSide(processes.stream(which, size, Unit.MEGABYTES_PER_SECOND), WARM_UPS);
    }

    private static Rounds.Rival rival(Side side, String what) {
        return new Rounds.Rival(
                side,
                new Metric(what, Unit.MEGABYTES_PER_SECOND),
                new Metric(what.replace("-vs-", "-cpu-vs-"), Unit.PROCESSOR_SECONDS_PER_GIGABYTE));
    }
}
