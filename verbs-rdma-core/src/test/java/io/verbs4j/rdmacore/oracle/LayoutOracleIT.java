/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The layouts and the constants of verbs-spi, against the headers of the releases of rdma-core that Debian has. */
class LayoutOracleIT {
    private static final Path SCRIPT = Path.of("..", "compat-tests", "rdma-core", "fetch");

    @TempDir
    Path scratch;

    @TestFactory
    Stream<DynamicTest> eachRelease() throws IOException, InterruptedException {
        List<DynamicTest> tests = new ArrayList<>();
        Path output = scratch.resolve("fetch.txt");
        int status = new ProcessBuilder(SCRIPT.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        if (status != 0) {
            List<String> lines = Files.readAllLines(output);
            tests.add(dynamicTest(
                    "all releases", () -> abort(lines.isEmpty() ? SCRIPT + " failed" : lines.get(lines.size() - 1))));
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(releases(), LayoutOracleIT::isComplete)) {
            for (Path release : found) {
                Headers headers = Headers.under(release.resolve("root"), scratch);
                assertThat(release.getFileName()).hasToString("" + headers.release());
                for (Gcc gcc : Gcc.BOTH) {
                    String name = gcc + ", release " + headers.release() + ": ";
                    tests.add(dynamicTest(
                            name + "the headers say the same", () -> Oracle.assertAllHold(gcc.required(), headers)));
                    tests.add(dynamicTest(
                            name + "every constant counts", () -> Oracle.assertEachCounts(gcc.required(), headers)));
                    tests.add(dynamicTest(
                            name + "what is newer is not there",
                            () -> Oracle.assertLaterIsMissing(gcc.required(), headers)));
                }
            }
        }
        assertThat(tests).as("tests, with the releases in %s", releases()).isNotEmpty();
        return tests.stream();
    }

    /** Where the script puts them. */
    private static Path releases() {
        String shared = System.getenv("VERBS4J_RDMA_CORE");
        return shared != null ? Path.of(shared) : Path.of("..", "compat-tests", "target", "rdma-core");
    }

    private static boolean isComplete(Path release) {
        return Files.isRegularFile(release.resolve("packages"));
    }
}
