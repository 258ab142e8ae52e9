/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/**
 * Ends a build: prints the tests that were skipped. Where the environment has {@code VERBS4J_NO_SKIP=1} there must be
 * none.
 */
public final class SkippedTestReport {
    private SkippedTestReport() {}

    /**
     * Run by the module build-report.
     *
     * @param args the file of the list, and the build that it must be of
     */
    public static void main(String[] args) {
        boolean noSkip = "1".equals(System.getenv("VERBS4J_NO_SKIP"));
        report(new SkippedTests(Path.of(args[0]), args[1]), noSkip, System.out);
    }

    static void report(SkippedTests list, boolean noSkip, PrintStream out) {
        List<String> skipped = list.read();
        out.println(skipped.isEmpty() ? "No test was skipped." : "Tests skipped: " + skipped.size());
        skipped.forEach(out::println);
        if (noSkip && !skipped.isEmpty()) {
            throw new IllegalStateException(
                    "VERBS4J_NO_SKIP=1 and " + skipped.size() + " test(s) were skipped: " + skipped);
        }
    }
}
