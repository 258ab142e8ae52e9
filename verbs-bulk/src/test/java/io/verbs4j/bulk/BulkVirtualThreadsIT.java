/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.bulk.programs.BulkVirtualThreadsProgram;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import io.verbs4j.testsupport.program.VirtualThreads;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A virtual thread that waits for a completion leaves its carrier to others. */
class BulkVirtualThreadsIT {
    private static final int SECONDS = 240;

    @Test
    void oneCarrierServesThousandWaitingThreads() throws Exception {
        Optional<Jdk> oldest = Jdk.all().stream()
                .filter(jdk -> jdk.feature() >= VirtualThreads.SINCE)
                .findFirst();
        assumeTrue(oldest.isPresent(), "no JDK of 21 or newer, which has virtual threads");
        Program.Result result =
                Program.run(oldest.get().command(VirtualThreads.ONE_CARRIER, BulkVirtualThreadsProgram.class), SECONDS);
        assertThat(result.text())
                .contains("rings: 1000 of 1000 have completed", "futures: 1000 of 1000 have completed");
    }
}
