/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.natives.call.NativeBinding;
import io.verbs4j.rdmacore.fake.programs.SuiteProgram;
import io.verbs4j.testsupport.program.Jdk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs tests of this module in a JVM of the newest JDK, with one of the two bindings. */
final class ModuleSuite {
    private ModuleSuite() {}

    /**
     * Runs the test classes whose names match; all must pass.
     *
     * @param name the start of the binding's description of itself
     * @param number pattern for the number of tests
     */
    static void passes(Path scratch, String pattern, String binding, String name, String number, String... options)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(Jdk.OPTIMIZED, "-Xmx1g", "-XX:+UseSerialGC"));
        all.add("-D" + NativeBinding.PROPERTY + "=" + binding);
        all.addAll(List.of(options));
        List<String> command = new ArrayList<>(Jdk.withForeignMemory().command(all, SuiteProgram.class));
        command.add(pattern);
        ProgramRun run = ProgramRun.of(scratch, Map.of(), command);
        assertThat(run.lines())
                .as(run.output())
                .contains("failed 0")
                .anyMatch(line -> line.startsWith("binding " + name))
                .anyMatch(line -> line.matches("passed " + number));
    }
}
