/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.natives.call.NativeBinding;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All tests of this module with both bindings, on a JDK that has the foreign function API. */
@Full
class BothBindingsIT {
    private static final int SECONDS = 300;

    @ParameterizedTest
    @CsvSource({
        "ffm, binding the JDK's foreign function API",
        "jna, binding JNA (the foreign function API is disabled (-Dio.verbs4j.native=jna))"
    })
    void everyTestPasses(String binding, String name) throws Exception {
        List<String> options =
                List.of(Jdk.OPTIMIZED, "-Xmx1g", "-XX:+UseSerialGC", "-D" + NativeBinding.PROPERTY + "=" + binding);
        List<String> command = new ArrayList<>(Jdk.withForeignMemory().command(options, SuiteProgram.class));
        command.add(".*Test");
        Program.Result result = Program.run(command, SECONDS);
        assertThat(result.text().lines())
                .as(result.text())
                .contains("failed 0", name)
                .anyMatch(line -> line.matches("passed [1-9][0-9]+"));
    }
}
