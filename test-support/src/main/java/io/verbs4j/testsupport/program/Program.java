/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport.program;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs that a test starts and waits for. */
public final class Program {
    /**
     * The result of a program.
     *
     * @param status its exit status; above 128 if a signal ended it
     * @param lines what it printed, on both streams
     */
    public record Result(int status, List<String> lines) {
        /** Returns what the program printed; fails if the program failed. */
        public String text() {
            String text = String.join("\n", lines);
            if (status != 0) {
                throw new AssertionError("exit status " + status + ": " + text);
            }
            return text;
        }
    }

    private Program() {}

    /** Returns whether there is such a program on the path. */
    public static boolean isOnPath(String name) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }

    /** Skips the test if there is no such program on the path. */
    public static void assumeOnPath(String name) {
        assumeTrue(isOnPath(name), () -> "no " + name + " here: .ci/run installs it");
    }

    /** Runs a command to its end; if that takes too long, fails with what it printed, and with the stacks of a JVM. */
    public static Result run(List<String> command, int timeoutSeconds) throws IOException, InterruptedException {
        Path output = Files.createTempFile("program", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
                end(process);
                throw new AssertionError(command + " did not end within " + timeoutSeconds + " s:\n"
                        + String.join("\n", Files.readAllLines(output)));
            }
            return new Result(process.exitValue(), Files.readAllLines(output));
        } finally {
            Files.delete(output);
        }
    }

    private static void end(Process process) throws IOException, InterruptedException {
        List<ProcessHandle> all = process.descendants().toList();
        for (ProcessHandle one : all) {
            if (one.info().command().filter(c -> c.endsWith("/java")).isPresent()) {
                new ProcessBuilder("kill", "-QUIT", "" + one.pid()).start().waitFor(); // prints the stacks
            }
        }
        process.waitFor(3, TimeUnit.SECONDS);
        process.destroy();
        process.waitFor(10, TimeUnit.SECONDS);
        all.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
    }
}
