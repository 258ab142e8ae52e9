/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code benchmarks/run}, as it is called. How fast anything is does not matter here. */
class RunIT {
    private static final String RESULT =
            "%s \\S+ ratio \\d+(\\.\\d+)? \\(ours \\d+(\\.\\d+)?, theirs \\d+(\\.\\d+)?, [^()]+\\)";

    /** Folder of what the build has made; the tests of a module run in its folder. */
    private static final Path BUILD = Path.of(System.getProperty("benchmarks.build"));

    @TempDir
    Path folder;

    private record Outcome(int status, List<String> out, String errors) {}

    @BeforeAll
    static void needsShell() {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no /bin/bash");
    }

    private Outcome run(String... arguments) throws IOException, InterruptedException {
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
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Outcome(
                process.exitValue(),
                Files.readAllLines(out, StandardCharsets.UTF_8),
                Files.readString(errors, StandardCharsets.UTF_8));
    }

    @Test
    void listNamesAllComparisons() throws Exception {
        Outcome outcome = run("--list");
        assertThat(outcome.status).isZero();
        assertThat(outcome.out.stream().map(l -> l.split(" ", 2)[0])).isEqualTo(Comparisons.labels());
    }

    @Test
    void unknownNameIsRefusedWithThoseThatExist() throws Exception {
        Outcome outcome = run("rxe-nothing");
        assertThat(outcome.status).isEqualTo(2);
        assertThat(outcome.out).isEmpty();
        assertThat(outcome.errors).contains("rxe-nothing").contains(Comparisons.labels());
    }

    @ParameterizedTest
    @EnumSource
    void everyComparisonRuns(Comparisons comparison) throws Exception {
        Path json = folder.resolve("figures.json");
        Path plot = folder.resolve("figures.svg");
        Outcome outcome = run(
                comparison.label(),
                "--rounds",
                "1",
                "--seconds",
                "0.02",
                "--json",
                json.toString(),
                "--plot",
                plot.toString());
        assertThat(outcome.status).as(outcome.errors).isZero();
        assertThat(outcome.out).isNotEmpty().allMatch(line -> line.matches(RESULT.formatted(comparison.label())));
        assertThat(json).content().contains("\"comparison\": \"" + comparison.label() + "\"");
        assertThat(plot).content().startsWith("<svg").endsWith("</svg>\n");
    }
}
