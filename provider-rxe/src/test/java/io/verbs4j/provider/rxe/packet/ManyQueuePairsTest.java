/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** 4,000 connected queue pairs in a JVM with 32 MiB of direct memory, and what happens when there is none left. */
class ManyQueuePairsTest {
    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void thousandsOfQueuePairsNeedLittleDirectMemory() throws IOException, InterruptedException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:MaxDirectMemorySize=32m",
                        "-cp",
                        classPath,
                        ManyQueuePairs.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        System.out.println("many queue pairs: " + said);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
