/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code verbs top} beside running programs. */
@Tag("e2e")
class TopIT {
    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(1);
    private static final Pattern ROW =
            Pattern.compile("\\s*(\\d+)\\s+rxe_emb0\\s+(\\d+\\.\\d)\\s+(\\d+\\.\\d)\\s+(\\d+)\\s+\\d+\\s+\\d+");

    private static List<double[]> rows(String table) {
        return ROW.matcher(table)
                .results()
                .map(row -> new double[] {
                    Double.parseDouble(row.group(1)), Double.parseDouble(row.group(2)), Double.parseDouble(row.group(3))
                })
                .toList();
    }

    @Test
    void bothProcessesOfBenchmarkAreListedWithRates(@TempDir Path folder) throws Exception {
        String own = " -Djava.io.tmpdir=" + folder; // hides programs of other tests
        try (Program bench = Program.start("bench write --duration 120 -s 65536" + own)) {
            Program top;
            List<double[]> rows;
            long begin = System.nanoTime();
            do { // on a busy machine, the benchmark may start late
                top = Program.run("top -n 4" + own).succeeds();
                rows = rows(top.out());
            } while (rows.stream().noneMatch(row -> row[1] > 1) && System.nanoTime() - begin < PATIENCE);
            assertThat(rows).as(top.out()).anyMatch(row -> row[1] > 1).anyMatch(row -> row[2] > 1);
            assertThat(rows.stream().map(row -> row[0]).distinct()).hasSize(2);
            assertThat(bench.process().isAlive()).isTrue();
        }
        assertThat(Program.run("top -n 1" + own).succeeds().out()).doesNotContain("rxe_emb0");
    }

    @Test
    void negativeTimesIsRefused() throws Exception {
        Program.run("top -n -1").fails(2, "--times must be at least 1, not -1");
    }
}
