/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.bulk;

import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Sizes;
import io.verbs4j.benchmarks.harness.Unit;
import io.verbs4j.benchmarks.wire.TransportType;
import io.verbs4j.benchmarks.wire.Transports;
import io.verbs4j.benchmarks.wire.TwoProcesses;
import io.verbs4j.benchmarks.wire.Way;

/** The overhead of verbs-bulk over plain verbs: the same operations on the same device, between two processes. */
public final class BulkAgainstVerbs implements Comparison {
    private static final int[] SIZES = {4 << 10, 64 << 10, 256 << 10, 1 << 20, 16 << 20};
    private static final int WARM_UPS = 8;
    private static final int ENTRY = 64;
    private static final int NOTE = 8;

    @Override
    public void run(Rounds rounds) throws Exception {
        entries(rounds, BulkTransports.BATCH, Transports.RC_BATCH, "put-64B-batch16");
        entries(rounds, BulkTransports.BATCHES, Transports.RC_BATCHES, "put-64B-batch16-window112");
        for (int size : SIZES) {
            bandwidth(rounds, BulkTransports.PUT, Transports.RC_WRITE, "put-" + Sizes.text(size), size);
            bandwidth(rounds, BulkTransports.GET, Transports.RC_READ, "get-" + Sizes.text(size), size);
        }
        notes(rounds, "notify-8B");
    }

    private static void notes(Rounds rounds, String what) throws Exception {
        TwoProcesses.compare(
                rounds,
                Way.ONE_COPY,
                WARM_UPS,
                processes -> processes.roundTrip(BulkTransports.NOTIFY, NOTE),
                processes -> processes.roundTrip(Transports.RC_TOLD, NOTE),
                new Metric(what, Unit.MICROSECONDS),
                new Metric(what + "-p99", Unit.MICROSECONDS));
    }

    private static void entries(Rounds rounds, TransportType ours, TransportType theirs, String what) throws Exception {
        TwoProcesses.compare(
                rounds,
                Way.ONE_COPY,
                WARM_UPS,
                processes -> processes.stream(ours, ENTRY, Unit.NANOSECONDS),
                processes -> processes.stream(theirs, ENTRY, Unit.NANOSECONDS),
                new Metric(what, Unit.NANOSECONDS),
                new Metric(what + "-cpu", Unit.PROCESSOR_MICROSECONDS),
                new Metric(what + "-garbage", Unit.BYTES_PER_OPERATION));
    }

    private static void bandwidth(Rounds rounds, TransportType ours, TransportType theirs, String what, int size)
            throws Exception {
        TwoProcesses.compare(
                rounds,
                Way.ONE_COPY,
                WARM_UPS,
                processes -> processes.stream(ours, size, Unit.MEGABYTES_PER_SECOND),
                processes -> processes.stream(theirs, size, Unit.MEGABYTES_PER_SECOND),
                new Metric(what, Unit.MEGABYTES_PER_SECOND),
                new Metric(what + "-cpu", Unit.PROCESSOR_SECONDS_PER_GIGABYTE));
    }
}
