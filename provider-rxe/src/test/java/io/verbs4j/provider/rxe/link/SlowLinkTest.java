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

/** A link that is slow because something is missing says what, once. */
class SlowLinkTest {
    /** JNA then has no library of its own. */
    private static final List<String> WITHOUT_JNA = List.of("-Djna.nounpack=true", "-Djna.nosys=true");

    private static final int LIMIT_SECONDS = 300;

    private static List<String> run(List<String> options) throws Exception {
        return Program.run(Jdk.own().command(options, SlowLinkProgram.class), LIMIT_SECONDS)
                .text()
                .lines()
                .toList();
    }

    @Test
    void theFallBackIsToldOnce() throws Exception {
        List<String> lines = run(WITHOUT_JNA);

        assertThat(lines).filteredOn(line -> line.equals("link NioLink")).hasSize(3);
        assertThat(lines)
                .filteredOn(line -> line.startsWith("WARNING: "))
                .singleElement()
                .asString()
                .contains("ten times", "JNA is missing or does not work here", "UnsatisfiedLinkError");
    }

    @Test
    void missingJnaIsReportedWithTheOptionThatResolvesIt() throws Exception {
        List<String> command = new ArrayList<>(Jdk.own().command(List.of(), SlowLinkProgram.class));
        int path = command.indexOf("-cp") + 1;
        command.set(
                path,
                Stream.of(command.get(path).split(File.pathSeparator))
                        .filter(entry -> !entry.contains("jna-"))
                        .collect(Collectors.joining(File.pathSeparator)));
        assertThat(Program.run(command, LIMIT_SECONDS).text())
                .contains("link NioLink", "JNA is missing", "--add-modules com.sun.jna");
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
    void whoAsksForItIsToldNothing() throws Exception {
        List<String> options = new ArrayList<>(WITHOUT_JNA);
        options.add("-D" + LinkOptions.KIND_PROPERTY + "=nio");

        assertThat(run(options)).containsOnly("link NioLink").hasSize(3);
    }

    @Test
    void norIsWhoHasSystemCalls() throws Exception {
        assertThat(run(List.of())).containsOnly("link UdpLink").hasSize(3);
    }
}
