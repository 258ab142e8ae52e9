/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A link that is slow because something is missing says what, once. */
class SlowLinkTest {
    /** JNA then has no library of its own. */
    private static final List<String> WITHOUT_JNA = List.of("-Djna.nounpack=true", "-Djna.nosys=true");

    private static List<String> run(List<String> options) throws Exception {
        return Program.run(Jdk.own().command(options, SlowLinkProgram.class), 120)
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
