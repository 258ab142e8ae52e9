/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The simulator's own tests in C, with each of their cases as a test. */
@Full
class DeviceSimIT {
    private static final Pattern CASE = Pattern.compile("(\\S+ \\S+): (ok|FAILED|failed|not ok)(.*)");

    /** A smaller number would mean that some cases did not run. */
    private static final int CASES = 60;

    private static final int GAUDIS_CASES = 30;

    /**
     * Sanitizers end a program at its first bad access, number or leak. {@code make asan} runs all of the simulator's
     * tests this way.
     */
    @Test
    void gaudiTestsPassUnderSanitizers() throws IOException, InterruptedException {
        DeviceSim.requireTools();
        Program.Result result = DeviceSim.make("asan-hbl", 400);
        assertThat(result.lines())
                .contains("all tests passed")
                .filteredOn(line -> CASE.matcher(line).matches())
                .hasSizeGreaterThan(GAUDIS_CASES)
                .allMatch(line -> line.endsWith(": ok"));
        assertThat(result.status()).as("%s", result.lines()).isZero();
    }

    @TestFactory
    Stream<DynamicTest> testsOfSimulatorPass() throws IOException, InterruptedException {
        DeviceSim.requireTools();
        Program.Result result = DeviceSim.make("test", 600);
        List<Matcher> cases = result.lines().stream()
                .map(CASE::matcher)
                .filter(Matcher::matches)
                .toList();
        DynamicTest all = DynamicTest.dynamicTest("all of them", () -> {
            assertThat(cases).as("%s", result.lines()).hasSizeGreaterThan(CASES);
            assertThat(result.status()).as("%s", result.lines()).isZero();
        });
        return Stream.concat(
                Stream.of(all),
                cases.stream()
                        .map(m -> DynamicTest.dynamicTest(
                                m.group(1),
                                () -> assertThat(m.group(2))
                                        .as("%s", result.lines())
                                        .isEqualTo("ok"))));
    }
}
