/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the JIT compiler makes of a post. A device sees stores where the memory model of Java sees none, and the compiler drops a fence
 * that another follows; so the machine code itself is looked at: the doorbell record by an exchange, then the doorbell by one store
 * of 8 bytes, then a locked instruction.
 */
class DoorbellOrderIT {
    private static final Pattern CODE = Pattern.compile("\\s+0x[0-9a-f]+: ([0-9a-f| ]+)\\s*");
    private static final String EXCHANGE = "xchg\\s+%[a-z0-9]+,\\(%[a-z0-9]+\\)";
    private static final String STORE = "mov\\s+%r[a-z0-9]+,(0x[0-9a-f]+)?\\(%r[a-z0-9]+,%r[a-z0-9]+,1\\)";
    private static final String LOCKED = "lock addl \\$0x0,-?(0x[0-9a-f]+)?\\(%rsp\\)";

    private static final int SECONDS = 60;

    @TempDir
    Path scratch;

    static List<Jdk> jdks() throws IOException {
        return Jdk.all();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void theCompiledPostKeepsTheOrder(Jdk jdk) throws IOException, InterruptedException {
        assumeTrue("amd64".equals(System.getProperty("os.arch")), "the order is that of x86-64");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/objdump")), "no objdump here: install binutils");
        List<String> post = disassemble(machineCode(print(jdk)));
        assertThat(isOrdered(post)).as("machine code of the post: %s", post).isTrue();
    }

    /** The check itself: what it looks for, and what it must not let through. */
    @Test
    void theCheckFindsWhatIsMissing() {
        String exchange = "1e9:\t41 87 3a \txchg   %edi,(%r10)";
        String other = "1ec:\t4c 8b d1 \tmov    %rcx,%r10";
        String store = "234:\t4f 89 0c 1a \tmov    %r9,(%r10,%r11,1)";
        String locked = "238:\tf0 83 44 24 c0 00 \tlock addl $0x0,-0x40(%rsp)";
        assertThat(isOrdered(List.of(exchange, other, store, other, locked))).isTrue();
        assertThat(isOrdered(List.of(other, store, locked))).as("no exchange").isFalse();
        assertThat(isOrdered(List.of(exchange, store, other))).as("no fence").isFalse();
        assertThat(isOrdered(List.of(store, exchange, locked)))
                .as("store first")
                .isFalse();
        assertThat(isOrdered(List.of(exchange, locked, store)))
                .as("fence too early")
                .isFalse();
    }

    private static boolean isOrdered(List<String> code) {
        int exchange = indexOf(EXCHANGE, code, 0);
        int store = exchange < 0 ? -1 : indexOf(STORE, code, exchange);
        int locked = store < 0 ? -1 : indexOf(LOCKED, code, store);
        return locked >= 0 && locked - store < 10;
    }

    private static int indexOf(String instruction, List<String> code, int from) {
        Pattern pattern = Pattern.compile(instruction);
        for (int i = from; i < code.size(); i++) {
            if (pattern.matcher(code.get(i)).find()) {
                return i;
            }
        }
        return -1;
    }

    private static String print(Jdk jdk) throws IOException, InterruptedException {
        List<String> options = List.of(
                "-XX:-TieredCompilation",
                "-XX:-BackgroundCompilation",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:CompileCommand=print," + SendRing.class.getName() + "::post");
        return Program.run(jdk.command(options, Posts.class), SECONDS).text();
    }

    /** The last that was compiled: an earlier one may have been thrown away. */
    private static byte[] machineCode(String printed) {
        int start = printed.lastIndexOf("[MachCode]");
        assertThat(start).as("compiled: %s", printed).isNotNegative();
        ByteArrayOutputStream code = new ByteArrayOutputStream();
        printed.substring(start, printed.indexOf("[/MachCode]", start)).lines().forEach(line -> {
            Matcher m = CODE.matcher(line);
            if (m.matches()) {
                code.writeBytes(HexFormat.of().parseHex(m.group(1).replaceAll("[| ]", "")));
            }
        });
        return code.toByteArray();
    }

    private List<String> disassemble(byte[] code) throws IOException, InterruptedException {
        Path file = Files.write(scratch.resolve("post.bin"), code);
        return Program.run(List.of("objdump", "-D", "-b", "binary", "-m", "i386:x86-64", file.toString()), SECONDS)
                .lines();
    }
}
