/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * A link that cannot be opened because direct memory is exhausted leaves neither its address nor descriptors in use.
 */
@Tag("attack")
@EnabledOnOs(OS.LINUX)
class FullDirectMemoryTest {
    private static final long LIMIT = 8 << 20;

    @Test
    void failedOpenReleasesAddressAndDescriptors() throws Exception {
        List<String> options = List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:MaxDirectMemorySize=" + LIMIT);
        List<String> command = new ArrayList<>(Jdk.own().command(options, FullDirectMemoryProgram.class));
        command.add(Long.toString(LIMIT));
        assertThat(Program.run(command, 120).lines()).containsExactly("opens");
    }
}
