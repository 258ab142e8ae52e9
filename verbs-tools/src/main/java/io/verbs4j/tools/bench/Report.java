/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.tools.text.Json;
import io.verbs4j.tools.text.Printable;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes the results. */
final class Report {
    private final PrintStream out;
    private final String device;
    private final Step kind;
    private final boolean byDevice;
    private final List<StepResult> results;

    /**
     * Creates a report.
     *
     * @param out where to write it
     * @param device name of the device
     * @param kind one of the steps
     * @param byDevice whether times are from the device's clock
     * @param results results of all steps
     */
    Report(PrintStream out, String device, Step kind, boolean byDevice, List<StepResult> results) {
        this.out = out;
        this.device = device;
        this.kind = kind;
        this.byDevice = byDevice;
        this.results = results;
    }

    void write(boolean json) {
        if (json) {
            out.println(Json.write(json()));
        } else {
            text();
        }
    }

    private Map<String, Object> json() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("operation", kind.operation().label());
        map.put("service", kind.service().label());
        map.put("measure", kind.latency() ? "latency" : "bandwidth");
        map.put("device", device);
        map.put("clock", byDevice ? "device" : "jvm");
        map.put("verify", kind.verify());
        map.put("results", results.stream().map(StepResult::json).toList());
        return map;
    }

    private void text() {
        out.printf(
                Locale.ROOT,
                "%s of RDMA %s, %s, device %s%s%n",
                kind.latency() ? "latency" : "bandwidth",
                kind.operation().label(),
                kind.service().name(),
                Printable.of(device),
                byDevice ? ", by the device's clock" : "");
        boolean lossy = results.stream().anyMatch(r -> r.lost() > 0);
        if (kind.latency()) {
            out.printf("%9s %11s %9s %9s %9s %9s %9s", "bytes", "iterations", "min", "p50", "p99", "p99.9", "max");
        } else {
            out.printf("%9s %11s %11s %11s %11s", "bytes", "iterations", "MB/s peak", "MB/s avg", "Mmsg/s");
        }
        out.println((lossy ? "      lost" : "") + (kind.latency() ? "  (usec)" : ""));
        for (StepResult r : results) {
            row(r, lossy);
        }
        out.printf(
                Locale.ROOT,
                "warm-up: %d operations in %.2f seconds, not counted%n",
                results.stream().mapToLong(r -> r.warmUp().operations()).sum(),
                results.stream().mapToLong(r -> r.warmUp().nanos()).sum() / 1e9);
        long bytes = results.stream().mapToLong(StepResult::bytesVerified).sum();
        out.println(
                kind.verify() ? "verified: all " + bytes + " bytes that arrived; none differed" : "data not verified");
    }

    private void row(StepResult r, boolean lossy) {
        if (kind.latency()) {
            out.printf(
                    Locale.ROOT,
                    "%9d %11d %9.2f %9.2f %9.2f %9.2f %9.2f",
                    r.step().size(),
                    r.iterations(),
                    r.usec(0),
                    r.usec(50),
                    r.usec(99),
                    r.usec(99.9),
                    r.usec(100));
        } else {
            out.printf(
                    Locale.ROOT,
                    "%9d %11d %11.2f %11.2f %11.6f",
                    r.step().size(),
                    r.iterations(),
                    r.peakMegabytesPerSecond(),
                    r.megabytesPerSecond(),
                    r.millionsPerSecond());
        }
        out.println(lossy ? String.format(Locale.ROOT, " %9d", r.lost()) : "");
    }
}
