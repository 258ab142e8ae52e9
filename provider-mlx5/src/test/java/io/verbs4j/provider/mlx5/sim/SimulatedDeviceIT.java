/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs on simulated devices, under the machine's own libibverbs and libmlx5. */
class SimulatedDeviceIT {
    @TempDir
    Path scratch;

    @BeforeAll
    static void makeTheSimulator(@TempDir Path scratch) throws IOException, InterruptedException {
        Simulator.make(scratch);
    }

    /** All opcodes of level 1, inline data, element lists, fences, lists of requests, the end of the ring, on RC, UC and UD. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void javaWritesTheSameBytesAsLibmlx5(int seed) throws IOException, InterruptedException {
        String out =
                Simulator.onDevices(scratch, List.of("--devices", "2", "--pump"), SameBytes.class, "3000", "" + seed);
        assertThat(out).contains("same ").contains("violations 0");
    }

    /** The same under each release of rdma-core, with its own libmlx5 and, where it needs one, its own libc. */
    @ParameterizedTest
    @ValueSource(ints = {33, 44, 56, 65})
    void soOnEveryRelease(int release) throws IOException, InterruptedException {
        Path root = Simulator.release(release, scratch);
        String out = Simulator.onDevices(
                scratch,
                List.of("--devices", "2", "--pump", "--release-root", root.toString()),
                SameBytes.class,
                "1000",
                "4");
        assertThat(out).contains("same ").contains("violations 0");
    }

    @Test
    void builderRefusesWhatItMust() throws IOException, InterruptedException {
        assertThat(Simulator.onDevices(scratch, List.of("--pump", "--strict"), BuilderErrors.class))
                .contains("builder ok, violations 0");
    }

    @Test
    void randomRequestsPassTheChecker() throws IOException, InterruptedException {
        String out = Simulator.onDevices(scratch, List.of("--pump", "--strict"), Soak.class, "500000", "1");
        assertThat(out).contains("soak 500000 requests, 500000 seen by the device, 0 violations");
    }
}
