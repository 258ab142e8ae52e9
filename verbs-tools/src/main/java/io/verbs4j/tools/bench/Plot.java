/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.text.SvgChart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Draws the results: MB/s, or microseconds, over the size. */
final class Plot {
    private Plot() {}

    /** Refuses a file that can't be written, before long work. */
    static void checkWritable(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(file)) {
            throw ToolException.usage("--plot " + file + ": is not a file name in an existing folder");
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) { // opening a pipe would wait for its reader
            throw ToolException.usage("--plot " + file + ": is not a regular file");
        }
    }

    static void write(Path file, String device, List<StepResult> results) {
        try {
            Files.writeString(file, draw(device, results));
        } catch (IOException e) {
            throw ToolException.failed("couldn't write " + file + ": " + e.getMessage(), e);
        }
    }

    static String draw(String device, List<StepResult> results) {
        Step kind = results.get(0).step();
        boolean latency = kind.latency();
        String title = String.format(
                Locale.ROOT,
                "%s of RDMA %s, %s, %s",
                latency ? "Latency" : "Bandwidth",
                kind.operation().label(),
                kind.service(),
                device);
        SvgChart chart = new SvgChart(title, "bytes", latency ? "microseconds" : "MB/s");
        if (latency) {
            series(chart, "p50", results, r -> r.usec(50));
            series(chart, "p99", results, r -> r.usec(99));
            series(chart, "p99.9", results, r -> r.usec(99.9));
        } else {
            series(chart, "average", results, StepResult::megabytesPerSecond);
            series(chart, "peak", results, StepResult::peakMegabytesPerSecond);
        }
        return chart.draw();
    }

    private static void series(
            SvgChart chart, String name, List<StepResult> results, ToDoubleFunction<StepResult> value) {
        chart.series(
                name,
                results.stream().mapToDouble(r -> r.step().size()).toArray(),
                results.stream().mapToDouble(value).toArray());
    }
}
