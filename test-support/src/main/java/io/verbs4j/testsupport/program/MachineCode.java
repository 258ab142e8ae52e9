/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport.program;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The x86-64 instructions that the JIT compiler generated for a method. */
public final class MachineCode {
    private static final Pattern CODE = Pattern.compile("\\s+0x[0-9a-f]+: ([0-9a-f| ]+)\\s*");
    private static final String BEGIN = "[MachCode]";
    private static final int SECONDS = 60;

    private MachineCode() {}

    /** Skips the test if there is no such code, or no tool to disassemble it. */
    public static void require() {
        assumeTrue("amd64".equals(System.getProperty("os.arch")), "the expected order is that of x86-64");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/objdump")), "no objdump here: install binutils");
    }

    /**
     * Runs a program that calls a method often, and disassembles its last compilation.
     *
     * @param property property set for that program, as in {@code -D}
     */
    public static List<String> of(
            Jdk jdk, Class<?> type, String method, String property, Class<?> program, String... arguments)
            throws IOException, InterruptedException {
        List<String> options = List.of(
                "-D" + property,
                Jdk.OPTIMIZED,
                "-XX:-TieredCompilation",
                "-XX:-BackgroundCompilation",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:CompileCommand=print," + type.getName() + "::" + method);
        List<String> command = new ArrayList<>(jdk.command(options, program));
        command.addAll(List.of(arguments));
        String printed = Program.run(command, SECONDS).text();
        return disassembled(printed, printed.lastIndexOf(BEGIN)); // an earlier one may have been discarded
    }

    /** Disassembles a stub that the JVM generated and that interpreted code calls. */
    public static List<String> ofStub(Jdk jdk, String name, Class<?> program) throws IOException, InterruptedException {
        List<String> options = List.of(Jdk.OPTIMIZED, "-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintStubCode");
        String printed = Program.run(jdk.command(options, program), SECONDS).text();
        Matcher routine = Pattern.compile("StubRoutines::_?" + name + " \\[").matcher(printed);
        return disassembled(printed, routine.find() ? printed.indexOf(BEGIN, routine.end()) : -1);
    }

    private static List<String> disassembled(String printed, int start) throws IOException, InterruptedException {
        if (start < 0) {
            throw new AssertionError("no machine code in: " + printed);
        }
        Path file = Files.createTempFile("code", ".bin");
        try {
            Files.write(file, bytes(printed.substring(start, printed.indexOf("[/MachCode]", start))));
            return Program.run(List.of("objdump", "-D", "-b", "binary", "-m", "i386:x86-64", file.toString()), SECONDS)
                    .lines();
        } finally {
            Files.delete(file);
        }
    }

    private static byte[] bytes(String printed) {
        ByteArrayOutputStream code = new ByteArrayOutputStream();
        printed.lines().forEach(line -> {
            Matcher m = CODE.matcher(line);
            if (m.matches()) {
                code.writeBytes(HexFormat.of().parseHex(m.group(1).replaceAll("[| ]", "")));
            }
        });
        return code.toByteArray();
    }

    /** Returns the position of an instruction, from an index on; negative if there is none. */
    public static int indexOf(Pattern instruction, List<String> code, int from) {
        for (int i = from; i < code.size(); i++) {
            if (instruction.matcher(code.get(i)).find()) {
                return i;
            }
        }
        return -1;
    }
}
