/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.cm.CmId;
import io.verbs4j.compat.built.TestClasses;
import io.verbs4j.core.Verbs;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.RxeProvider;
import io.verbs4j.rdmacore.RdmaCoreProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs programs of librdmacm in the guest with their Java counterparts as peers, by the script {@code cm}. */
final class CmPrograms {
    static final List<String> IPV4 = List.of("ipv4");

    private CmPrograms() {}

    /** Compiles the C program for cases that the other programs do not cover. */
    static Path compile(Path folder) {
        Path program = folder.resolve("cmpeer");
        Guest.compile(List.of(
                "gcc",
                "-O1",
                "-Wall",
                "-Werror",
                "-o",
                program.toString(),
                Guest.script("cmpeer.c"),
                "-lrdmacm",
                "-libverbs"));
        return program;
    }

    private static String classPath() {
        return TestClasses.only(
                CmPrograms.class,
                Verbs.class,
                Context.class,
                CmId.class,
                RxeProvider.class,
                RdmaCoreProvider.class,
                NativeMemory.class,
                com.sun.jna.Native.class);
    }

    /** Runs cases: none may fail, and none may be left out. */
    static List<String> run(
            Guest guest, String net, Path program, int timeout, String faults, List<String> families, String... cases) {
        List<String> command = new ArrayList<>(
                List.of(Guest.script("cm"), classPath(), program.toString(), faults, String.join(" ", families)));
        command.addAll(List.of(cases));
        Guest.Result result = guest.run(net, timeout, command);
        List<String> expected = new ArrayList<>();
        for (String one : cases) {
            for (String family : one.equals("mckey") ? IPV4 : families) {
                expected.add("ok " + one + " " + family
                        + (one.equals("refused") ? ", nobody serves" : ", C program serves"));
                expected.add("ok " + one + " " + family + ", verbs4j serves");
            }
        }
        String output = String.join("\n", result.lines());
        assertThat(result.lines().stream()
                        .filter(line -> line.startsWith("ok ") || line.startsWith("not ok "))
                        .toList())
                .as(output)
                .isEqualTo(expected);
        assertThat(result.status()).as(output).isZero();
        return result.lines();
    }

    /** {@return the lines of one side, "ours: " or "theirs: "} */
    static List<String> said(List<String> lines, String who, String what) {
        return lines.stream()
                .filter(line -> line.startsWith(who + what))
                .map(line -> line.substring(who.length()).stripTrailing())
                .toList();
    }
}
