/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Jazzer continues from the corpus for a while, in its own instrumented JVM. New findings stay in {@code
 * target/fuzz-corpus}; {@code -Dio.verbs4j.fuzz.keep=true} merges them, minimized, into the corpus.
 */
@Full
class CoverageFuzzIT {
    private static final long RUNS = Long.getLong("io.verbs4j.fuzz.runs", 200_000);
    private static final long SECONDS = Long.getLong("io.verbs4j.fuzz.seconds", 90);
    private static final boolean KEEP = Boolean.getBoolean("io.verbs4j.fuzz.keep");
    private static final Path FOUND = Path.of("target/fuzz-corpus");
    private static final int TAIL = 200;

    @Test
    void coverageGuidedFuzzingFindsNoFailure() throws IOException, InterruptedException {
        Files.createDirectories(FOUND);
        run(
                "-runs=" + RUNS,
                "-max_total_time=" + SECONDS,
                "-max_len=1500",
                "-print_final_stats=1",
                "-rss_limit_mb=0",
                FOUND.toString(),
                Corpus.FOLDER.toString());
        if (KEEP) {
            run("-merge=1", Corpus.FOLDER.toString(), FOUND.toString());
        }
    }

    private static void run(String... arguments) throws IOException, InterruptedException {
        // The class path itself is in a jar made by Surefire; the property has all of it.
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-cp",
                classPath,
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + CoverageFuzz.class.getName(),
                "--instrumentation_includes=io.verbs4j.provider.rxe.packet.**:io.verbs4j.provider.rxe.wire.**:"
                        + "io.verbs4j.provider.rxe.qp.**:io.verbs4j.provider.rxe.queue.**",
                "--disabled_hooks=.*",
                "--reproducer_path=" + FOUND.getParent(),
                "-artifact_prefix=" + FOUND.getParent() + "/");
        builder.command().addAll(List.of(arguments));
        Process process = builder.redirectErrorStream(true).start();
        Deque<String> tail = new ArrayDeque<>();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("stat::") || line.contains("DONE") || line.contains("INITED")) {
                    System.out.println("fuzz: jazzer: " + line);
                }
                tail.add(line);
                if (tail.size() > TAIL) {
                    tail.remove();
                }
            }
        }
        assertThat(process.waitFor()).as(String.join("\n", tail)).isZero();
    }
}
