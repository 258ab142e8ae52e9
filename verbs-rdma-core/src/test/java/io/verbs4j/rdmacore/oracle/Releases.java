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

/** The releases of rdma-core in Debian, and the checks of an {@link Oracle} against the headers of each. */
public final class Releases {
    private static final Path SCRIPT = Path.of("..", "compat-tests", "rdma-core", "fetch");

    private Releases() {}

    /** {@return tests of all claims of an oracle, for each release and each compiler} */
    public static Stream<DynamicTest> each(Oracle oracle, Path scratch) throws IOException, InterruptedException {
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
        try (DirectoryStream<Path> found = Files.newDirectoryStream(releases(), Releases::isComplete)) {
            for (Path release : found) {
                Headers headers = Headers.under(release.resolve("root"), scratch);
                assertThat(release.getFileName()).hasToString("" + headers.release());
                for (Gcc gcc : Gcc.BOTH) {
                    String name = gcc + ", release " + headers.release() + ": ";
                    tests.add(dynamicTest(
                            name + "the headers say the same", () -> oracle.assertAllHold(gcc.required(), headers)));
                    tests.add(dynamicTest(
                            name + "every constant counts", () -> oracle.assertEachCounts(gcc.required(), headers)));
                    tests.add(dynamicTest(
                            name + "what is newer is not there",
                            () -> oracle.assertLaterIsMissing(gcc.required(), headers)));
                }
            }
        }
        assertThat(tests).as("tests, with the releases in %s", releases()).isNotEmpty();
        return tests.stream();
    }

    /** {@return the folder in which the script puts them} */
    private static Path releases() {
        String shared = System.getenv("VERBS4J_RDMA_CORE");
        return shared != null ? Path.of(shared) : Path.of("..", "compat-tests", "target", "rdma-core");
    }

    private static boolean isComplete(Path release) {
        return Files.isRegularFile(release.resolve("packages"));
    }
}
