/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.sim.programs.TaggedMessagesProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tag matching through libmlx5 on a simulated ConnectX on InfiniBand, under the strict checker. */
@Full
class SimulatedTagsIT {
    private static final int SECONDS = 120;

    /** Release 0 is the installed one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 33, 56, 65})
    void messagesLandByTag(int release) throws IOException, InterruptedException {
        DeviceSim.require();
        DeviceSim devices =
                DeviceSim.with("--thread", "--strict", "--infiniband").jvm("-Dio.verbs4j.mlx5.path=native");
        assertThat(devices.under(release)
                        .run(TaggedMessagesProgram.class, SECONDS)
                        .text())
                .contains("matched ok", "unexpected ok", "deleted ok", "announced ok", "tags ok")
                .doesNotContain("violation");
    }
}
