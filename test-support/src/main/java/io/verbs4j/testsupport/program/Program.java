/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs that a test starts and waits for. */
public final class Program {
    /**
     * What a program left.
     *
     * @param status its exit status; above 128 where a signal ended it
     * @param lines what it printed, of both streams
     */
    public record Result(int status, List<String> lines) {
        /** What it printed; fails where the program did. */
        public String text() {
            String text = String.join("\n", lines);
            if (status != 0) {
                throw new AssertionError("exit status " + status + ": " + text);
            }
            return text;
        }
    }

    private Program() {}

    /** Whether there is such a program on the path. */
    public static boolean isOnPath(String name) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }

    /** Runs a command to its end; where that takes too long, fails with what was printed, and with the stacks of a JVM. */
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
                new ProcessBuilder("kill", "-QUIT", "" + one.pid()).start().waitFor(); // it prints its stacks
            }
        }
        process.waitFor(3, TimeUnit.SECONDS);
        process.destroy();
        process.waitFor(10, TimeUnit.SECONDS);
        all.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
    }
}
