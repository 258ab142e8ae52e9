/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.mlx5.sim.programs.ConcurrentClosingProgram;
import io.verbs4j.provider.mlx5.sim.programs.PollingWaysProgram;
import io.verbs4j.provider.mlx5.sim.programs.ReadingRulesProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Extended completion queues, on both data paths and under each release. Release 0 is the installed one. */
@Full
class OneByOneIT {
    private static final int SECONDS = 120;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    private static String run(int release, Class<?> main, String path, String argument, String... options)
            throws IOException, InterruptedException {
        DeviceSim sim = DeviceSim.with(options);
        return sim.under(release).run(main, SECONDS, path, argument).text();
    }

    /**
     * All four ways must read the same, including the time. A tick of 8 ns reveals code that mistakes ticks for
     * nanoseconds.
     */
    @ParameterizedTest
    @CsvSource({"0, 1", "0, 8", "33, 8", "44, 8", "56, 8", "65, 8"})
    void fourWaysReportSameCompletions(int release, int tick) throws IOException, InterruptedException {
        String[] options = {"--pump", "--quiet", "--clock", "" + 1_000_000 / tick};
        String java = run(release, PollingWaysProgram.class, "java", "" + tick, options);
        assertThat(java)
                .contains("four ways report the same")
                .contains("RC 280 remote operation error 90")
                .contains("RC 281 Work Request Flushed Error");
        assertThat(run(release, PollingWaysProgram.class, "native", "" + tick, options))
                .isEqualTo(java);
    }

    /** Checks whose turn it is, what is refused and what is kept, and that nothing allocates, hangs or ends the JVM. */
    @ParameterizedTest
    @CsvSource({
        "0, java, false",
        "0, java, true",
        "0, native, false",
        "0, native, true",
        "33, native, false",
        "44, native, false",
        "56, native, true",
        "65, native, false",
        "65, java, false"
    })
    void readingRulesHold(int release, String path, String singleThreaded) throws IOException, InterruptedException {
        assertThat(run(release, ReadingRulesProgram.class, path, singleThreaded, "--pump", "--quiet"))
                .contains("reading rules hold");
    }

    /** Covers libmlx5 under load; {@link SimulatedLoadIT} does the same for Java's data path. */
    @ParameterizedTest
    @CsvSource({"0, true", "33, false", "65, true"})
    void queuesCloseWhileLibmlx5Reads(int release, boolean windows) throws IOException, InterruptedException {
        DeviceSim sim = DeviceSim.with("--thread", "--strict", "--quiet").jvm("-Dwindows=" + windows);
        assertThat(sim.under(release)
                        .run(ConcurrentClosingProgram.class, SECONDS, "20", "7", "native")
                        .text())
                .contains("closing 20 rounds");
    }
}
