/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Memory whose address was passed to the kernel stays until the call returns. It once did not, which crashed a JVM
 * within four seconds.
 */
@Full
class CollectedMemoryTest {
    private static final int SECONDS = 60;

    @Test
    void memoryStaysWhileKernelWritesIt() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(Jdk.own()
                .command(List.of(Jdk.OPTIMIZED, "-XX:+UseParallelGC", "-Xmx100m"), CollectedMemoryProgram.class));
        command.add("4");
        String out = Program.run(command, SECONDS).text();
        assumeTrue(!out.startsWith("not here"), out);
        assertThat(out).contains("canaries that died: 0");
    }
}
