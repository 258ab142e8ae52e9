/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** Runs other programs. */
public final class Commands {
    private Commands() {}

    /** Throws if a program is not installed. */
    public static void require(String program, String debianPackage) throws MissingException {
        boolean found = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> new File(folder, program).canExecute());
        if (!found) {
            throw new MissingException(
                    program + " is missing; install it (Debian: apt-get install " + debianPackage + ")");
        }
    }

    /** Runs a program and returns its output. Throws, with the output, if it fails. */
    public static String output(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            int status = process.waitFor();
            if (status != 0) {
                throw new IllegalStateException(String.join(" ", command) + " ended with " + status + ": " + text);
            }
            return text;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroy();
        }
    }
}
