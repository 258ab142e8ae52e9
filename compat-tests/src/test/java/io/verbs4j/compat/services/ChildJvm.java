/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.services;

import io.verbs4j.testsupport.program.Jdk;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The results of a JVM that has ended.
 *
 * @param command how it was started
 * @param status its exit status
 * @param out the lines of its standard output
 * @param err its standard error
 */
public record ChildJvm(List<String> command, int status, List<String> out, String err) {
    private static final long PATIENCE_SECONDS = 60;

    /** Runs a JVM to its end. */
    public static ChildJvm run(Jdk jdk, Path scratch, List<String> arguments) throws InterruptedException {
        return run(jdk, scratch, Map.of(), arguments);
    }

    /** The same with additional environment variables. */
    public static ChildJvm run(Jdk jdk, Path scratch, Map<String, String> environment, List<String> arguments)
            throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(jdk.java().toString(), "-Xmx256m"));
        command.addAll(arguments);
        try {
            // Files instead of pipes: nobody must read while the program runs.
            File out = Files.createTempFile(scratch, "out", ".txt").toFile();
            File err = Files.createTempFile(scratch, "err", ".txt").toFile();
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(out).redirectError(err);
            // Options from the environment would reach this JVM too, and make it write to its standard error.
            List.of("CLASSPATH", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS").forEach(builder.environment()::remove);
            builder.environment().putAll(environment);
            Process process = builder.start();
            try {
                if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("has not ended after " + PATIENCE_SECONDS + " s: " + command
                            + "\nstandard error:\n" + Files.readString(err.toPath()));
                }
            } finally {
                process.destroyForcibly();
            }
            return new ChildJvm(
                    command, process.exitValue(), Files.readAllLines(out.toPath()), Files.readString(err.toPath()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + command, e);
        }
    }
}
