/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.mlx5.sim.programs.FlightRecordingProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks what the flight recorder records of failed requests, and what is loaded without a recording. */
@Full
class FlightRecordingIT {
    private static final int SECONDS = 120;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    private static String run(DeviceSim sim, String path, boolean singleThreaded, boolean recorded)
            throws IOException, InterruptedException {
        return sim.run(FlightRecordingProgram.class, SECONDS, path, "" + singleThreaded, "" + recorded)
                .text();
    }

    @ParameterizedTest
    @CsvSource({"java, false", "java, true", "native, false", "native, true", "native-wr, false", "generic, false"})
    void failedRequestsAreRecordedButFlushedOnesAreNot(String path, boolean singleThreaded)
            throws IOException, InterruptedException {
        assertThat(run(DeviceSim.with("--pump", "--quiet"), path, singleThreaded, true))
                .contains("recorded ok");
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "native"})
    void eventClassIsNotLoadedBeforeFirstRecording(String path, @TempDir Path folder)
            throws IOException, InterruptedException {
        Path log = folder.resolve("classes");
        DeviceSim sim = DeviceSim.with("--pump", "--quiet").jvm("-Xlog:class+load=info:file=" + log + "::filesize=0");
        assertThat(run(sim, path, false, false)).contains("recorded ok");
        assertThat(Files.readString(log))
                .contains("io.verbs4j.rdmacore.flight.FailedRequests ")
                .doesNotContain("CompletionErrorEvent ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "native"})
    void jvmWithoutFlightRecorderStillWorks(String path) throws IOException, InterruptedException {
        DeviceSim sim = DeviceSim.with("--pump", "--quiet")
                .jvm("--limit-modules", "java.base,java.logging,java.management,jdk.unsupported");
        assertThat(run(sim, path, false, false)).contains("recorded ok");
    }
}
