/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.rxe.programs.ReportProgram;
import io.verbs4j.provider.rxe.programs.SuiteProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * JVMs that deny {@code sun.misc.Unsafe}, native access, or both: the embedded device works with either of them, and
 * otherwise reports which options to use. Tests of memory and of the data path run in each JVM that works.
 */
@Full
class AccessDeniedIT {
    private static final String UNSAFE = "--sun-misc-unsafe-memory-access=";
    private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";
    private static final String NO_NATIVE = "--illegal-native-access=deny";
    private static final String BINDING = "-Dio.verbs4j.native=";
    private static final String MEMORY = "io.verbs4j.natives.memory.";

    @TempDir
    Path scratch;

    private static Program.Result run(Jdk jdk, Class<?> main, List<String> options, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(jdk.commandWithoutPermissions(options, main.getName()));
        command.addAll(List.of(arguments));
        return Program.run(command, 300);
    }

    private static String report(String... options) throws IOException, InterruptedException {
        return run(Jdk.thatCanDeny(), ReportProgram.class, List.of(options)).text();
    }

    @Test
    void denyingBothReportsOptionsToUse() throws Exception {
        assertThat(report(NO_NATIVE, UNSAFE + "deny"))
                .contains("devices []")
                .containsPattern("rxe +4 \\(library 1\\+\\) +- +no")
                .contains("its devices can't be listed: get_device_list: EOPNOTSUPP")
                .contains("start the JVM with " + NATIVE + ", or with " + UNSAFE + "allow")
                .doesNotContain("bug in the provider");
    }

    @Test
    void eitherOptionEnablesDevice() throws Exception {
        assertThat(report(NO_NATIVE, UNSAFE + "allow"))
                .contains("devices [rxe_emb0")
                .doesNotContain("WARNING");
        assertThat(report(NATIVE, UNSAFE + "deny"))
                .contains("devices [rxe_emb0")
                .doesNotContain("WARNING");
    }

    /** The binding used before JDK 22 can be chosen, and is then the only one. */
    @Test
    void forcedBindingIsUsedOrReported() throws Exception {
        assertThat(report(NATIVE, UNSAFE + "deny", BINDING + "jna"))
                .contains("devices []", "start the JVM with " + UNSAFE + "allow")
                .doesNotContain("or with");
        assertThat(report(NO_NATIVE, UNSAFE + "allow", BINDING + "ffm"))
                .contains("devices []", BINDING + "ffm is not possible");
        assertThat(report(NATIVE, UNSAFE + "allow", BINDING + "jni"))
                .contains("devices []", BINDING.substring(0, BINDING.length() - 1) + " is jni; it must be ffm or jna");
        Jdk oldest = Jdk.withoutForeignMemory();
        assertThat(run(oldest, ReportProgram.class, List.of()).text()).contains("devices [rxe_emb0");
        assertThat(run(oldest, ReportProgram.class, List.of(BINDING + "ffm")).text())
                .contains("devices []", BINDING + "ffm is not possible", "came with JDK 22");
    }

    @Test
    void unusedBindingIsNotLoaded() throws Exception {
        assertThat(loaded(NATIVE, UNSAFE + "deny"))
                .contains(MEMORY + "SegmentMemory")
                .doesNotContain(MEMORY + "UnsafeMemory", "sun.misc.Unsafe");
        assertThat(loaded(BINDING + "jna", UNSAFE + "allow"))
                .contains(MEMORY + "UnsafeMemory", "sun.misc.Unsafe")
                .doesNotContain(MEMORY + "SegmentMemory");
    }

    private List<String> loaded(String... options) throws Exception {
        Path log = scratch.resolve("classes.txt");
        List<String> all = new ArrayList<>(List.of(options));
        all.add("-Xlog:class+load=info:file=" + log + "::filesize=0");
        assertThat(run(Jdk.thatCanDeny(), ReportProgram.class, all).text()).contains("devices [rxe_emb0");
        return Files.readAllLines(log).stream()
                .map(line -> line.replaceFirst("^(\\[[^]]*\\])+ *", "").split(" ", 2)[0])
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        NATIVE + "," + UNSAFE + "deny,ffm",
        NO_NATIVE + "," + UNSAFE + "allow,jna",
    })
    void memoryTestsPassWithEitherBinding(String nativeAccess, String unsafe, String binding) throws Exception {
        String text = run(
                        Jdk.thatCanDeny(),
                        SuiteProgram.class,
                        List.of("-Xmx1g", "-XX:+UseSerialGC", "-Dio.verbs4j.rxe.devices=2", nativeAccess, unsafe),
                        ".*\\.(memory|queue)\\..*Test|.*\\.(Allocation|Memory|AnsweredOperations)(Local|Wire)Test"
                                + "|.*\\.(TruncatedMemory|Arena)Test")
                .text();
        assertThat(text.lines())
                .as(text)
                .contains("failed 0", "binding " + binding)
                .anyMatch(line -> line.matches("passed [1-9][0-9]+"));
    }

    /** JNA is present but not used. */
    @Test
    void systemCallTestsPassWithJdkBinding() throws Exception {
        String text = run(
                        Jdk.thatCanDeny(),
                        SuiteProgram.class,
                        List.of("-Xmx1g", "-XX:+UseSerialGC", "-Dio.verbs4j.rxe.devices=2", NATIVE, UNSAFE + "deny"),
                        ".*\\.link\\.(SystemCalls|LinkContract|LinkAllocation|NoChecksum|Hostile|BatchRing)Test")
                .text();
        assertThat(text.lines())
                .as(text)
                .contains("failed 0", "binding ffm")
                .anyMatch(line -> line.matches("passed [1-9][0-9]+"));
    }
}
