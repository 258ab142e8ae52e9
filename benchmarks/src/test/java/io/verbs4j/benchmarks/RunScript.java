/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.testsupport.program.Jdk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The script {@code benchmarks/run} with the classes of this build.
 *
 * @param folder for its output
 * @param path the PATH that it gets, or null for ours
 * @param javaHome the JDK that it gets
 * @param options more options for the JVMs that it starts
 */
record RunScript(Path folder, String path, String javaHome, String options) {
    private static final String RESULT =
            "%s \\S+ ratio \\d+(\\.\\d+)? \\(ours \\d+(\\.\\d+)?, theirs \\d+(\\.\\d+)?, [^()]+\\)";

    /** The build's output folder. Tests run in the folder of their module. */
    private static final Path BUILD = Path.of(System.getProperty("benchmarks.build"));

    /** The exit status and output of a run. */
    record Outcome(int status, List<String> out, String errors) {}

    RunScript(Path folder) {
        this(folder, null);
    }

    RunScript(Path folder, String path) {
        this(folder, path, System.getProperty("java.home"), "");
    }

    /** Returns the script with JVMs that compile quickly, where speed does not matter. */
    RunScript compilingQuickly() {
        return new RunScript(folder, path, javaHome, Jdk.QUICK);
    }

    static void assumeShell() {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no /bin/bash");
    }

    /** Returns whether a line is the result of a comparison. */
    static boolean isResult(String line, String comparison) {
        return line.matches(RESULT.formatted(comparison));
    }

    Outcome run(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(Path.of("run").toAbsolutePath().toString()));
        command.addAll(List.of(arguments));
        Path out = folder.resolve("out");
        Path errors = folder.resolve("errors");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(errors.toFile());
        builder.environment()
                .put(
                        "BENCHMARKS_CLASSPATH",
                        BUILD.resolve("classes") + ":" + Files.readString(BUILD.resolve("dependencies.path")));
        builder.environment().put("JAVA_HOME", javaHome);
        builder.environment().put("BENCHMARKS_JAVA_OPTS", options);
        if (path != null) {
            builder.environment().put("PATH", path);
        }
        Process process = builder.start();
        try {
            assertThat(process.waitFor(600, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Outcome(
                process.exitValue(),
                Files.readAllLines(out, StandardCharsets.UTF_8),
                Files.readString(errors, StandardCharsets.UTF_8));
    }
}
