/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs programs in separate JVMs. */
public final class Programs {
    private Programs() {}

    /** Starts a program on the class path of the tests. */
    public static Process start(Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Runs a program, asserts that it exits with status 0, and returns its output. */
    public static String run(Class<?> main, String... arguments) throws Exception {
        Process process = start(main, arguments);
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor(), said);
            return said;
        } finally {
            process.destroyForcibly();
        }
    }
}
