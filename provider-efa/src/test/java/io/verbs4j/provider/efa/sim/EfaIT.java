/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.efa.sim.programs.ClosingWhilePolledProgram;
import io.verbs4j.provider.efa.sim.programs.CounterWrapProgram;
import io.verbs4j.provider.efa.sim.programs.DirectVerbsProgram;
import io.verbs4j.provider.efa.sim.programs.ExplainedPostsProgram;
import io.verbs4j.provider.efa.sim.programs.FlightRecordingProgram;
import io.verbs4j.provider.efa.sim.programs.NewerReleasesProgram;
import io.verbs4j.provider.efa.sim.programs.OutstandingResetProgram;
import io.verbs4j.provider.efa.sim.programs.RefusalsProgram;
import io.verbs4j.provider.efa.sim.programs.RefusedDeviceProgram;
import io.verbs4j.provider.efa.sim.programs.RequestBytesProgram;
import io.verbs4j.provider.efa.sim.programs.TrafficProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.ProgramOfPage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** EFA through the real libefa of each release, on simulated devices; release 0 is the installed one. */
@Full
class EfaIT {
    private static final int SECONDS = 120;

    /** A current device, which all releases recognize. */
    private static final String DEVICE = "efa1+unsolicited+inline=80+extmem+counters";

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    private static DeviceSim sim(int release) throws IOException, InterruptedException {
        return sim(release, DEVICE);
    }

    private static DeviceSim sim(int release, String device, String... more) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("--vendors", "efa", "--efa", device, "--pump"));
        options.addAll(List.of(more));
        DeviceSim sim = DeviceSim.with(options.toArray(String[]::new));
        return sim.under(release);
    }

    private static String path(String path) {
        return "-Dio.verbs4j.efa.path=" + path;
    }

    @Test
    void documentedProgramPrintsResult(@TempDir Path folder) throws IOException, InterruptedException {
        String out = DeviceSim.with("--vendors", "efa", "--thread")
                .run(ProgramOfPage.class, SECONDS, "../docs/reference/efa.md", "" + folder)
                .text();
        assertThat(out).contains("received 42");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, native",
        "33, 2, native",
        "44, 3, native",
        "44, 4, native-wr",
        "56, 4, native",
        "65, 5, native",
        "65, 6, native-wr",
        "65, 0, java",
        "65, 5, java",
        "65, 7, java"
    })
    void datagramsArrive(int release, int seed, String path) throws IOException, InterruptedException {
        assertThat(sim(release)
                        .jvm(path(path))
                        .run(TrafficProgram.class, SECONDS, "" + seed)
                        .text())
                .contains("traffic ok");
    }

    /**
     * The simulator watches each store to send rings and doorbells: it checks batches, and that no descriptor is read
     * or changed after it is announced.
     */
    @ParameterizedTest
    @CsvSource({"efa1, 1", "efa1+inline=80, 2", "efa3, 3", "efa4, 4"})
    void datagramsArriveWhileStoresAreWatched(String device, int seed) throws IOException, InterruptedException {
        assertThat(sim(65, device, "--watch")
                        .jvm(path("java"))
                        .run(TrafficProgram.class, SECONDS, "" + seed)
                        .text())
                .contains("traffic ok");
    }

    /** Compares descriptors, doorbells and completions, for both sizes of descriptors and both forms of ids. */
    @ParameterizedTest
    @CsvSource({"efa1+inline=80, 1, native", "efa1+inline=80, 2, native-wr", "efa4, 3, native", "efa4, 4, native-wr"})
    void javaWritesSameBytesAsLibefa(String device, int seed, String path) throws IOException, InterruptedException {
        assertThat(sim(65, device + "," + device, "--devices", "2")
                        .run(RequestBytesProgram.class, SECONDS, "1500", "" + seed, path)
                        .text())
                .contains("same ");
    }

    /** Covers more messages than counters have numbers, out of order; many peers; RESET; reused numbers; events. */
    @ParameterizedTest
    @CsvSource({"efa3, 1, java", "efa4, 2, java", "efa1+unsolicited+inline=80, 3, java", "efa4, 4, native"})
    void wrappedIdsCompleteOnce(String device, int seed, String path) throws IOException, InterruptedException {
        assertThat(sim(65, device)
                        .jvm(path(path))
                        .run(CounterWrapProgram.class, SECONDS, "" + seed, path)
                        .text())
                .contains("counters ok");
    }

    /**
     * libefa restarts its counters after RESET, so a completion from before would make it write outside of its tables.
     */
    @ParameterizedTest
    @CsvSource({
        "0, native, thread",
        "33, native, thread",
        "44, native-wr, thread",
        "56, native, thread",
        "65, native, thread",
        "65, java, thread",
        "44, native, pump",
        "65, java, pump"
    })
    void resetDropsOutstandingRequests(int release, String path, String mode) throws IOException, InterruptedException {
        assertThat(sim(release, DEVICE, "--" + mode)
                        .jvm(path(path))
                        .run(OutstandingResetProgram.class, SECONDS, path, mode)
                        .text())
                .contains("reset ok");
    }

    /**
     * No thread uses what closing has destroyed, even while other threads poll, read, post and wait: accessing freed
     * memory ends the JVM.
     */
    @ParameterizedTest
    @CsvSource({
        "65, java, QUEUE_PAIRS",
        "65, java, RESETS",
        "65, java, COMPLETION_QUEUES",
        "65, java, CHANNELS",
        "65, java, ADDRESS_HANDLES",
        "65, java, REGIONS",
        "0, native, QUEUE_PAIRS",
        "56, native, RESETS",
        "0, native, COMPLETION_QUEUES",
        "0, native, CHANNELS",
        "0, native, ADDRESS_HANDLES",
        "65, native-wr, REGIONS"
    })
    void closingWhileOthersPollNeverTouchesFreedMemory(int release, String path, String kind)
            throws IOException, InterruptedException {
        assertThat(sim(release, DEVICE, "--thread", "--guard", "--quiet")
                        .jvm(path(path))
                        .run(ClosingWhilePolledProgram.class, SECONDS, kind, "20")
                        .text())
                .contains("closed while polled");
    }

    /**
     * Requests the Java path for devices that it cannot drive: before rdma-core 59 nothing reports the queues'
     * addresses, and on efa0 only one ring of several is reported.
     */
    @ParameterizedTest
    @CsvSource({"56, efa1, rdma-core 59", "65, efa0, several rings"})
    void javaPathIsRefusedIfUnsupported(int release, String device, String why)
            throws IOException, InterruptedException {
        assertThat(sim(release, device)
                        .jvm(path("java"))
                        .run(RefusedDeviceProgram.class, SECONDS, why)
                        .text())
                .contains("refused ok");
    }

    @ParameterizedTest
    @CsvSource({"0, native", "33, native", "44, native", "56, native", "65, native", "65, java"})
    void unsupportedRequestsAreRefused(int release, String path) throws IOException, InterruptedException {
        assertThat(sim(release)
                        .jvm(path(path))
                        .run(RefusalsProgram.class, SECONDS, "" + release)
                        .text())
                .contains("rules ok");
    }

    @ParameterizedTest
    @CsvSource({"0, native", "33, native", "65, native-wr", "65, java"})
    void failedRequestsAreRecorded(int release, String path) throws IOException, InterruptedException {
        assertThat(sim(release, DEVICE, "--quiet")
                        .jvm(path(path))
                        .run(FlightRecordingProgram.class, SECONDS)
                        .text())
                .contains("recorded ok");
    }

    @ParameterizedTest
    @CsvSource({"0, native", "65, java", "65, native-wr"})
    void explanationsMatchPostResults(int release, String path) throws IOException, InterruptedException {
        assertThat(sim(release, DEVICE, "--quiet")
                        .jvm(path(path))
                        .run(ExplainedPostsProgram.class, SECONDS)
                        .text())
                .contains("explained ok");
    }

    @ParameterizedTest
    @CsvSource({"33, native", "44, native", "56, native", "65, native", "65, java"})
    void directVerbsWorkOnEachRelease(int release, String path) throws IOException, InterruptedException {
        assertThat(sim(release)
                        .jvm(path(path))
                        .run(DirectVerbsProgram.class, SECONDS, "" + release)
                        .text())
                .contains("direct ok");
    }

    @ParameterizedTest
    @CsvSource({"33, native", "44, native", "56, native", "65, native", "65, java"})
    void restOfEfadvWorksOnEachRelease(int release, String path) throws IOException, InterruptedException {
        assertThat(sim(release)
                        .jvm(path(path))
                        .run(NewerReleasesProgram.class, SECONDS, "" + release)
                        .text())
                .contains("extras ok");
    }
}
