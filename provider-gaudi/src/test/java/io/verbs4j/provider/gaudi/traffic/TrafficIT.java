/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.gaudi.traffic.programs.ClosingWhilePolledProgram;
import io.verbs4j.provider.gaudi.traffic.programs.ErrorsProgram;
import io.verbs4j.provider.gaudi.traffic.programs.FlightRecordingProgram;
import io.verbs4j.provider.gaudi.traffic.programs.ThreadsProgram;
import io.verbs4j.provider.gaudi.traffic.programs.TrafficProgram;
import io.verbs4j.provider.gaudi.traffic.programs.TwoProcessesProgram;
import io.verbs4j.provider.gaudi.traffic.programs.UnreadEventsProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.ProgramOfPage;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Java's rings of Gaudi on simulated devices, which check each store to their registers; release 0 is the installed
 * one.
 */
@Full
class TrafficIT {
    private static final int SECONDS = 120;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    private static DeviceSim sim(int release, String layout) throws IOException, InterruptedException {
        DeviceSim sim =
                DeviceSim.with("--vendors", "hbl", "--devices", "2", "--ports", "2", "--libhbl", layout, "--pump");
        return sim.under(release);
    }

    @ParameterizedTest
    @CsvSource({"0, upstream, 1", "33, 1.16.1, 2", "44, 1.17, 3", "56, 1.20, 4", "65, 1.21, 5"})
    void writesArrive(int release, String layout, int seed) throws IOException, InterruptedException {
        assertThat(sim(release, layout)
                        .run(TrafficProgram.class, SECONDS, "" + seed)
                        .text())
                .contains("traffic ok");
    }

    @ParameterizedTest
    @CsvSource({"0, 1.18", "33, 1.19", "44, 1.16.1", "56, 1.21", "65, upstream"})
    void errorsAreReported(int release, String layout) throws IOException, InterruptedException {
        assertThat(sim(release, layout).run(ErrorsProgram.class, SECONDS).text())
                .contains("errors ok");
    }

    @ParameterizedTest
    @CsvSource({"0, 1.18", "65, upstream"})
    void failedRequestsAreRecorded(int release, String layout) throws IOException, InterruptedException {
        assertThat(sim(release, layout)
                        .run(FlightRecordingProgram.class, SECONDS)
                        .text())
                .contains("recorded ok");
    }

    @ParameterizedTest
    @CsvSource({"0, 1.16.1", "44, 1.20"})
    void pollsReportErrorsIfEventsAreUnread(int release, String layout) throws IOException, InterruptedException {
        assertThat(sim(release, layout).run(UnreadEventsProgram.class, SECONDS).text())
                .contains("unread ok");
    }

    @Test
    void documentedProgramPrintsResult(@TempDir Path folder) throws IOException, InterruptedException {
        assertThat(DeviceSim.with("--vendors", "hbl", "--thread")
                        .run(ProgramOfPage.class, SECONDS, "../docs/reference/gaudi.md", "" + folder)
                        .text())
                .contains("written 42")
                .doesNotContain("device-sim:");
    }

    @Test
    void threadsShareQueues() throws IOException, InterruptedException {
        assertThat(sim(0, "1.17").run(ThreadsProgram.class, SECONDS).text()).contains("threads ok");
    }

    /**
     * No thread uses what closing has destroyed, even while other threads poll, read and post: accessing freed memory
     * ends the JVM.
     */
    @ParameterizedTest
    @CsvSource({"QUEUE_PAIRS, upstream", "RESETS, 1.17", "COMPLETION_QUEUES, 1.20", "REGIONS, 1.21"})
    void closingWhileOthersPollNeverTouchesFreedMemory(String kind, String layout)
            throws IOException, InterruptedException {
        assertThat(DeviceSim.with(
                                "--vendors",
                                "hbl",
                                "--devices",
                                "2",
                                "--ports",
                                "2",
                                "--libhbl",
                                layout,
                                "--thread",
                                "--guard",
                                "--quiet")
                        .run(ClosingWhilePolledProgram.class, SECONDS, kind, "20")
                        .text())
                .contains("closed while polled");
    }

    @Test
    void twoProcessesExchangeData(@TempDir Path rendezvous) throws IOException, InterruptedException {
        assertThat(DeviceSim.with(
                                "--vendors",
                                "hbl",
                                "--devices",
                                "2",
                                "--ports",
                                "2",
                                "--thread",
                                "--rendezvous",
                                "" + rendezvous)
                        .run(TwoProcessesProgram.class, SECONDS)
                        .text())
                .contains("two processes ok");
    }
}
