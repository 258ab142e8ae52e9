/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A C compiler.
 *
 * @param command its name
 */
public record Gcc(String command) {
    /** The compiler for this machine, and one for a processor whose C library has larger locks. */
    public static final List<Gcc> BOTH = List.of(new Gcc("gcc"), new Gcc("aarch64-linux-gnu-gcc"));

    private static final Pattern REFUSED = Pattern.compile("error: static assertion failed: \"(.*)\"");
    private static final Pattern ELSEWHERE = Pattern.compile("warning: #warning elsewhere: (\\S.*?)(?: \\[.*)?$");
    private static final int PATIENCE_SECONDS = 120;

    /**
     * The output of the compiler.
     *
     * @param refused assertions that failed
     * @param elsewhere claims whose condition is false for the compiler's processor
     * @param other further errors
     */
    public record Answer(List<String> refused, List<String> elsewhere, List<String> other) {}

    /** Skips the test if the compiler is missing. */
    public Gcc required() {
        Program.assumeOnPath(command);
        return this;
    }

    /** Compiles a source against headers and discards the result. */
    public Answer compile(String source, Headers headers) {
        try {
            Path file = Files.createTempFile(headers.folder(), "claims", ".c");
            Files.writeString(file, source);
            ProcessBuilder builder = new ProcessBuilder(
                            command,
                            "-std=gnu11",
                            "-fsyntax-only",
                            "-fmax-errors=0",
                            "-fno-diagnostics-show-caret",
                            "-isystem",
                            headers.folder().toString(),
                            file.toString())
                    .redirectErrorStream(true);
            builder.environment().put("LC_ALL", "C"); // messages in the language of the patterns
            Process gcc = builder.start();
            gcc.getOutputStream().close();
            List<String> lines = gcc.inputReader().lines().toList();
            if (!gcc.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                gcc.destroyForcibly();
                throw new IllegalStateException(command + " did not end");
            }
            Answer answer = sort(lines);
            if (gcc.exitValue()
                    == 0
                    != (answer.refused().isEmpty() && answer.other().isEmpty())) {
                throw new IllegalStateException(
                        "exit status " + gcc.exitValue() + " of " + command + " with: " + lines);
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Answer sort(List<String> lines) {
        Answer answer = new Answer(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (String line : lines) {
            Matcher refused = REFUSED.matcher(line);
            Matcher elsewhere = ELSEWHERE.matcher(line);
            if (refused.find()) {
                answer.refused().add(refused.group(1));
            } else if (elsewhere.find()) {
                answer.elsewhere().add(elsewhere.group(1));
            } else if (line.contains("error:")) {
                answer.other().add(line);
            }
        }
        return answer;
    }

    @Override
    public String toString() {
        return command;
    }
}
