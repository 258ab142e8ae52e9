/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The store fence, in separate JVMs. {@code DoorbellOrderIT} of provider-mlx5 checks its machine code. */
class StoreFenceTest {
    private static final int SECONDS = 60;

    /** Calls the fence often enough for each of the JVM's execution modes, and reports whether it is available. */
    static final class Fences {
        private Fences() {}

        public static void main(String... args) {
            for (int i = 0; StoreFence.isAvailable() && i < 200_000; i++) {
                StoreFence.run();
            }
            System.out.println("fence " + StoreFence.isAvailable());
        }
    }

    static List<Jdk> jdks() throws IOException {
        return Jdk.all();
    }

    private static String run(Jdk jdk, String... options) throws IOException, InterruptedException {
        return Program.run(jdk.command(List.of(options), Fences.class), SECONDS).text();
    }

    private static boolean isExpected() throws IOException {
        String flags = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("flags"))
                .findFirst()
                .orElse("");
        return List.of(flags.split("\\s+")).stream().anyMatch(f -> f.equals("clflushopt") || f.equals("clwb"));
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void fenceFollowsProcessor(Jdk jdk) throws IOException, InterruptedException {
        assertThat(run(jdk, Jdk.OPTIMIZED)).contains("fence " + isExpected());
    }

    /** Newer JDKs lack the routine without that compiler, and calling it would end the JVM. */
    @ParameterizedTest
    @MethodSource("jdks")
    void jvmsWithoutSecondCompilerKeepRunning(Jdk jdk) throws IOException, InterruptedException {
        String modes = "-Xint -XX:TieredStopAtLevel=1 -XX:TieredStopAtLevel=3 -XX:CompilationMode=quick-only";
        for (String mode : modes.split(" ", -1)) {
            assertThat(run(jdk, mode)).as(mode).contains("fence " + isExpected());
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void fenceCanBeDisabled(Jdk jdk) throws IOException, InterruptedException {
        assertThat(run(jdk, "-D" + StoreFence.PROPERTY + "=false")).contains("fence false");
    }
}
