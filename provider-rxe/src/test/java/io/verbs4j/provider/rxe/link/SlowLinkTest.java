/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A link that is slow because something is missing reports it, once. */
class SlowLinkTest {
    private static final String BY_JNA = "-Dio.verbs4j.native=jna";

    /** JNA then has no native library, and nothing replaces it. */
    private static final List<String> WITHOUT_JNA = List.of(BY_JNA, "-Djna.nounpack=true", "-Djna.nosys=true");

    private static final int LIMIT_SECONDS = 300;

    private static List<String> run(List<String> options) throws Exception {
        return Program.run(Jdk.own().command(options, SlowLinkProgram.class), LIMIT_SECONDS)
                .text()
                .lines()
                .toList();
    }

    @Test
    void fallbackIsReportedOnce() throws Exception {
        List<String> lines = run(WITHOUT_JNA);

        assertThat(lines).filteredOn(line -> line.equals("link NioLink")).hasSize(3);
        assertThat(lines)
                .filteredOn(line -> line.startsWith("WARNING: "))
                .singleElement()
                .asString()
                .contains("ten times", "JNA is missing or does not work here", "UnsatisfiedLinkError");
    }

    /** Returns the command without JNA's jar on its class path. */
    private static List<String> withoutJar(List<String> command) {
        List<String> without = new ArrayList<>(command);
        int path = without.indexOf("-cp") + 1;
        without.set(
                path,
                Stream.of(without.get(path).split(File.pathSeparator))
                        .filter(entry -> !entry.contains("jna-"))
                        .collect(Collectors.joining(File.pathSeparator)));
        return without;
    }

    @Test
    void missingJnaIsReportedWithTheOptionThatResolvesIt() throws Exception {
        List<String> command = withoutJar(Jdk.own().command(List.of(BY_JNA), SlowLinkProgram.class));
        assertThat(Program.run(command, LIMIT_SECONDS).text())
                .contains("link NioLink", "JNA is missing", "--add-modules com.sun.jna");
    }

    @Test
    void jnaIsNotNeededWhenJdkCallsC() throws Exception {
        List<String> command = withoutJar(Jdk.withForeignMemory().command(List.of(), SlowLinkProgram.class));
        assertThat(Program.run(command, LIMIT_SECONDS).text().lines())
                .containsOnly("link UdpLink")
                .hasSize(3);
    }

    @Test
    void missingJnaIsReportedWithTheOptionThatDoesWithout() throws Exception {
        List<String> options = List.of("--illegal-native-access=deny", "--sun-misc-unsafe-memory-access=allow");
        List<String> command =
                withoutJar(Jdk.thatCanDeny().commandWithoutPermissions(options, SlowLinkProgram.class.getName()));
        assertThat(Program.run(command, LIMIT_SECONDS).text())
                .contains("link NioLink", "JNA is missing")
                .contains("or allow the JDK's own API with --enable-native-access=ALL-UNNAMED");
    }

    @Test
    void deniedNativeAccessIsReportedWithTheOptionThatAllowsIt() throws Exception {
        List<String> options = List.of("--illegal-native-access=deny", "--sun-misc-unsafe-memory-access=allow");
        List<String> command = Jdk.thatCanDeny().commandWithoutPermissions(options, SlowLinkProgram.class.getName());
        assertThat(Program.run(command, LIMIT_SECONDS).text())
                .contains("link NioLink", "native access is denied to JNA", "--enable-native-access=ALL-UNNAMED")
                .doesNotContain("ExceptionInInitializerError");
    }

    @Test
    void requestedNioIsNotReported() throws Exception {
        List<String> options = new ArrayList<>(WITHOUT_JNA);
        options.add("-D" + LinkOptions.KIND_PROPERTY + "=nio");

        assertThat(run(options)).containsOnly("link NioLink").hasSize(3);
    }

    @Test
    void nothingIsReportedWithSystemCalls() throws Exception {
        assertThat(run(List.of())).containsOnly("link UdpLink").hasSize(3);
    }
}
