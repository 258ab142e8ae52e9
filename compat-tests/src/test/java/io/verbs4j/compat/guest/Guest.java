/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A guest that {@code compat-tests/guest/run} boots.
 *
 * @param kernel the script's {@code --kernel}
 */
record Guest(String kernel) {
    private static final Path SCRIPT = Path.of("guest", "run").toAbsolutePath();

    /** What a command in the guest left. */
    record Result(int status, List<String> lines) {}

    /** The quickest that this machine has: the user-mode kernel that VERBS4J_UML names, else {@link #qemu}. */
    static Guest quickest() {
        return System.getenv("VERBS4J_UML") != null ? new Guest("uml") : qemu();
    }

    /** The distribution's kernel under qemu; skips the test where that can't be run. */
    static Guest qemu() {
        for (String tool : List.of("qemu-system-x86_64", "busybox", "cpio", "depmod", "apt-get")) {
            assumeTrue(
                    Stream.of(System.getenv("PATH").split(":"), new String[] {"/usr/sbin", "/sbin"})
                            .flatMap(Stream::of)
                            .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool))),
                    "no " + tool + " here: .ci/run installs what the guest needs");
        }
        return new Guest("qemu");
    }

    /** Whether programs run many times slower than on this machine. */
    boolean isSlow() {
        return kernel.equals("qemu");
    }

    /** Runs a command in the guest. */
    Result run(String net, int timeoutSeconds, List<String> command) {
        List<String> all = new ArrayList<>(
                List.of(SCRIPT.toString(), "--kernel", kernel, "--net", net, "--timeout", "" + timeoutSeconds, "--"));
        all.addAll(command);
        try {
            Path output = Files.createTempFile("guest", ".txt");
            try {
                Process process = new ProcessBuilder(all)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
                // The script has the timeout; this is for a script that hangs.
                if (!process.waitFor(timeoutSeconds + 120L, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new IllegalStateException("the script has not ended: " + all);
                }
                return new Result(
                        process.exitValue(),
                        Files.readString(output).replace("\r", "\n").lines().toList());
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
