/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.program.DeviceSim;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs on simulated devices, under the machine's own libibverbs and libmlx5. */
class SimulatedDeviceIT {
    private static final int SECONDS = 120;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    /** All opcodes of level 1, inline data, element lists, fences, lists of requests, the end of the ring, on RC, UC and UD. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void javaWritesTheSameBytesAsLibmlx5(int seed) throws IOException, InterruptedException {
        String out = DeviceSim.with("--devices", "2", "--pump")
                .run(SameBytes.class, SECONDS, "3000", "" + seed)
                .text();
        assertThat(out).contains("same ").contains("violations 0");
    }

    /** The same under each release of rdma-core, with its own libmlx5 and, where it needs one, its own libc. */
    @ParameterizedTest
    @ValueSource(ints = {33, 44, 56, 65})
    void soOnEveryRelease(int release) throws IOException, InterruptedException {
        String out = DeviceSim.with("--devices", "2", "--pump")
                .under(release)
                .run(SameBytes.class, SECONDS, "1000", "4")
                .text();
        assertThat(out).contains("same ").contains("violations 0");
    }

    @Test
    void builderRefusesWhatItMust() throws IOException, InterruptedException {
        String out = DeviceSim.with("--pump", "--strict")
                .run(BuilderErrors.class, SECONDS)
                .text();
        assertThat(out).contains("builder ok, violations 0");
    }

    @Test
    void randomRequestsPassTheChecker() throws IOException, InterruptedException {
        String out = DeviceSim.with("--pump", "--strict")
                .run(Soak.class, SECONDS, "500000", "1")
                .text();
        assertThat(out).contains("soak 500000 requests, 500000 seen by the device, 0 violations");
    }
}
