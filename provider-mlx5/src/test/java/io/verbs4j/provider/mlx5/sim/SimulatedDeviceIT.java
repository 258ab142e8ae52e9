/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.verbs4j.provider.mlx5.sim.programs.BuilderErrorsProgram;
import io.verbs4j.provider.mlx5.sim.programs.DrySendQueueProgram;
import io.verbs4j.provider.mlx5.sim.programs.ExplainedPostsProgram;
import io.verbs4j.provider.mlx5.sim.programs.FullSendQueueProgram;
import io.verbs4j.provider.mlx5.sim.programs.InvalidTargetsProgram;
import io.verbs4j.provider.mlx5.sim.programs.InvalidationsProgram;
import io.verbs4j.provider.mlx5.sim.programs.RawElementBytesProgram;
import io.verbs4j.provider.mlx5.sim.programs.RefusalsProgram;
import io.verbs4j.provider.mlx5.sim.programs.RequestBytesProgram;
import io.verbs4j.provider.mlx5.sim.programs.ResetRaceProgram;
import io.verbs4j.provider.mlx5.sim.programs.SmallMessagesProgram;
import io.verbs4j.provider.mlx5.sim.programs.WindowBytesProgram;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.RdmaCore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs on simulated devices, with the installed libibverbs and libmlx5. */
@Full
class SimulatedDeviceIT {
    private static final int SECONDS = 120;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    /**
     * Covers all opcodes of level 1, inline data, element lists, fences, lists of requests and the end of the ring, on
     * RC, UC and UD.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void javaWritesSameBytesAsLibmlx5(int seed) throws IOException, InterruptedException {
        String out = DeviceSim.with("--devices", "2", "--pump")
                .run(RequestBytesProgram.class, SECONDS, "3000", "" + seed)
                .text();
        assertThat(out).contains("same ").contains("violations 0");
    }

    /** The same under each release of rdma-core, with its own libmlx5 and, if it needs one, its own libc. */
    @ParameterizedTest
    @ValueSource(ints = {33, 44, 56, 65})
    void javaWritesSameBytesAsEveryRelease(int release) throws IOException, InterruptedException {
        String out = DeviceSim.with("--devices", "2", "--pump")
                .under(release)
                .run(RequestBytesProgram.class, SECONDS, "1000", "4")
                .text();
        assertThat(out).contains("same ").contains("violations 0");
    }

    /**
     * Compares with libmlx5's builder, which verbs-rdma-core calls for each part of a request. Release 33 is left out:
     * without windows, which it may not bind, its queue is smaller.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 44, 56, 65})
    void javaWritesSameBytesAsLibmlx5Builder(int release) throws IOException, InterruptedException {
        DeviceSim sim = DeviceSim.with("--devices", "2", "--pump");
        String out = sim.under(release)
                .run(RequestBytesProgram.class, SECONDS, "1000", "6", "native-wr")
                .text();
        assertThat(out).contains("same ").contains("violations 0");
    }

    /**
     * Windows of type 2: bound and invalidated by either side, in any order, on each release; 0 is the installed one.
     */
    @ParameterizedTest
    @CsvSource({
        "0, 1, 1000, native",
        "0, 2, 1000, native",
        "0, 4, 1000, native-wr",
        "44, 3, 300, native",
        "56, 3, 300, native",
        "65, 3, 300, native",
        "65, 5, 300, native-wr"
    })
    void javaWritesSameWindowBytesAsLibmlx5(int release, int seed, int count, String path)
            throws IOException, InterruptedException {
        DeviceSim sim = DeviceSim.with("--devices", "2", "--pump");
        String out = sim.under(release)
                .run(WindowBytesProgram.class, SECONDS, "" + count, "" + seed, path)
                .text();
        assertThat(out).contains("same windows").contains("violations 0");
    }

    /**
     * Compares no-ops and masked atomics with elements that are written by hand and posted unchanged, which libmlx5
     * supports since 36.
     */
    @ParameterizedTest
    @CsvSource({"0, 1, 2000", "0, 2, 2000", "44, 3, 500", "56, 3, 500", "65, 3, 500"})
    void javaWritesSameBytesAsHandWrittenElements(int release, int seed, int count)
            throws IOException, InterruptedException {
        DeviceSim sim = DeviceSim.with("--devices", "2", "--pump");
        String out = sim.under(release)
                .run(RawElementBytesProgram.class, SECONDS, "" + count, "" + seed)
                .text();
        assertThat(out).contains("same ").contains("violations 0");
    }

    /** Before release 41, libmlx5 writes behind its queue when a window's bind crosses the end. */
    @Test
    void overrunningLibmlx5BindsNoWindows() throws IOException, InterruptedException {
        DeviceSim sim = DeviceSim.with("--devices", "2", "--pump");
        assertThat(sim.under(33).run(WindowBytesProgram.class, SECONDS, "old").text())
                .contains("old libmlx5 binds nothing");
    }

    /** Compares the doorbell register as well, when the environment selects how libmlx5 writes to it. */
    @ParameterizedTest
    @ValueSource(strings = {"MLX5_POST_SEND_PREFER_BF=0", "MLX5_SHUT_UP_BF=1"})
    void javaRingsDoorbellsAsEnvironmentDemands(String variable) throws IOException, InterruptedException {
        String out = DeviceSim.with("--devices", "2", "--pump")
                .environment(variable)
                .run(RequestBytesProgram.class, SECONDS, "1000", "5")
                .text();
        assertThat(out).contains("same ").contains("violations 0");
    }

    /**
     * A message too small to be worth a write by the device is copied by the polling thread, or its completion reports
     * an error.
     */
    @Tag("attack")
    @ParameterizedTest
    @MethodSource("placesOfAttack")
    void smallMessagesToInvalidTargetsFailSafely(int release, String path) throws IOException, InterruptedException {
        DeviceSim sim = DeviceSim.with("--pump", "--quiet");
        String out = sim.under(release)
                .run(InvalidTargetsProgram.class, SECONDS, path)
                .text();
        assertThat(out).contains("outside 24 cases, each reported as local protection error");
    }

    @ParameterizedTest
    @CsvSource({"java, 0", "native, 0", "native-wr, 0", "native-wr, 65"})
    void keysAreInvalidatedOnOtherTypesThanRc(String path, int release) throws IOException, InterruptedException {
        DeviceSim sim = DeviceSim.with("--pump", "--strict");
        String out = sim.under(release)
                .run(InvalidationsProgram.class, SECONDS, path)
                .text();
        assertThat(out).contains("invalidations by " + path);
    }

    @Test
    void inlineCompletionBytesAreNotTakenForPath() throws IOException, InterruptedException {
        String out = DeviceSim.with("--pump")
                .run(SmallMessagesProgram.class, SECONDS)
                .text();
        assertThat(out).contains("small messages 24");
    }

    /** Release 0 is the installed one. */
    static List<Arguments> placesOfAttack() {
        List<Integer> releases = new ArrayList<>(List.of(0));
        if (Extent.isHours()) {
            releases.addAll(RdmaCore.RELEASES);
        }
        return releases.stream()
                .flatMap(release -> Stream.of(arguments(release, "java"), arguments(release, "native")))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "native"})
    void nothingIsPostedInReset(String path) throws IOException, InterruptedException {
        String out = DeviceSim.with("--pump")
                .run(ResetRaceProgram.class, SECONDS, "500", path)
                .text();
        assertThat(out).contains("reset race 500 rounds");
    }

    @ParameterizedTest
    @CsvSource({"java, 0", "native, 0", "native-wr, 0", "native-wr, 44", "native-wr, 65"})
    void requestsRefusedByFullQueueAreNotExecuted(String path, int release) throws IOException, InterruptedException {
        DeviceSim sim = DeviceSim.with("--pump", "--strict");
        String out = sim.under(release)
                .run(FullSendQueueProgram.class, SECONDS, path)
                .text();
        assertThat(out).contains("full queue of ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "native", "native-wr"})
    void sendQueueReportsWhenItIsDry(String path) throws IOException, InterruptedException {
        String out = DeviceSim.with("--pump", "--strict")
                .run(DrySendQueueProgram.class, SECONDS, path)
                .text();
        assertThat(out).contains("dry by queues of 3 kinds");
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "native", "native-wr"})
    void eachRefusalIsExplained(String path) throws IOException, InterruptedException {
        String out = DeviceSim.with("--pump", "--strict")
                .run(RefusalsProgram.class, SECONDS, path)
                .text();
        assertThat(out).contains("explained 14 refusals");
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "native", "native-wr"})
    void explanationsMatchPostResults(String path) throws IOException, InterruptedException {
        String out = DeviceSim.with("--pump", "--quiet")
                .run(ExplainedPostsProgram.class, SECONDS, path)
                .text();
        assertThat(out).contains("explained posts by " + path);
    }

    @Test
    void builderRefusesInvalidRequests() throws IOException, InterruptedException {
        String out = DeviceSim.with("--pump", "--strict")
                .run(BuilderErrorsProgram.class, SECONDS)
                .text();
        assertThat(out).contains("builder ok, violations 0");
    }
}
