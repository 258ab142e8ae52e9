/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.provider.rxe.behaviour.programs.VirtualConnectionsProgram;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import io.verbs4j.testsupport.program.VirtualThreads;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A virtual thread that waits for an event or a connection releases its carrier. */
class VirtualThreadsTest {
    @Test
    void oneCarrierServesAllWaitingThreads() throws Exception {
        assertThat(said(VirtualThreadsProgram.class)).contains("all were woken");
    }

    @Test
    void oneCarrierServesAllConnectingThreads() throws Exception {
        assertThat(said(VirtualConnectionsProgram.class)).contains("all were connected");
    }

    private static String said(Class<?> program) throws Exception {
        Optional<Jdk> oldest = Jdk.all().stream()
                .filter(jdk -> jdk.feature() >= VirtualThreads.SINCE)
                .findFirst();
        assumeTrue(oldest.isPresent(), "no JDK 21 or newer, which has virtual threads");
        return Program.run(oldest.get().command(VirtualThreads.ONE_CARRIER, program), 240)
                .text();
    }
}
