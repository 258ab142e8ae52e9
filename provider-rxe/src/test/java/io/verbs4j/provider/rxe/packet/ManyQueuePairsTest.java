/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Patience;
import io.verbs4j.testsupport.program.Jdk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** 4,000 connected queue pairs in a JVM with 32 MiB of direct memory, and what happens when it is exhausted. */
@Full
class ManyQueuePairsTest {
    @Test
    @Timeout(Patience.TEST_SECONDS)
    void thousandsOfQueuePairsNeedLittleDirectMemory() throws IOException, InterruptedException {
        List<String> options = List.of("-Xmx512m", "-XX:MaxDirectMemorySize=32m");
        Process process = new ProcessBuilder(Jdk.own().command(options, ManyQueuePairsProgram.class))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        System.out.println("many queue pairs: " + said);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
