/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A virtual thread that waits for an event leaves its carrier to others. */
class VirtualThreadsTest {
    @Test
    void oneCarrierIsEnoughForAllThatWait() throws Exception {
        Optional<Jdk> oldest =
                Jdk.all().stream().filter(jdk -> jdk.feature() >= 21).findFirst();
        assumeTrue(oldest.isPresent(), "no JDK of 21 or newer, which has virtual threads");
        List<String> options =
                List.of("-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1");
        Program.Result result = Program.run(oldest.get().command(options, VirtualThreadsProgram.class), 240);
        assertThat(result.text()).contains("all were woken");
    }
}
