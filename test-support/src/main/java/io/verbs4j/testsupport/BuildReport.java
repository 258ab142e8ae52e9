/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends a build: prints the tests that failed and those that were skipped. None may have failed; where the environment
 * has {@code VERBS4J_NO_SKIP=1}, none may have been skipped.
 */
public final class BuildReport {
    private BuildReport() {}

    /**
     * Run by the module build-report.
     *
     * @param args the file of the list of skipped tests, which build it must be of, the folder with the modules, and
     *     the folder below each that the build writes to
     */
    public static void main(String[] args) {
        boolean noSkip = "1".equals(System.getenv("VERBS4J_NO_SKIP"));
        List<String> failed = new FailedTests(Path.of(args[2]), args[3], args[1]).read();
        List<String> skipped = new SkippedTests(Path.of(args[0]), args[1]).read();
        report(failed, skipped, noSkip, System.out);
    }

    static void report(List<String> failed, List<String> skipped, boolean noSkip, PrintStream out) {
        out.println(skipped.isEmpty() ? "No test was skipped." : "Tests skipped: " + skipped.size());
        skipped.forEach(out::println);
        out.println(failed.isEmpty() ? "No test failed." : "Tests failed: " + failed.size());
        failed.forEach(out::println);
        List<String> reasons = new ArrayList<>();
        if (!failed.isEmpty()) {
            reasons.add(failed.size() + " test(s) failed: " + failed);
        }
        if (noSkip && !skipped.isEmpty()) {
            reasons.add("VERBS4J_NO_SKIP=1 and " + skipped.size() + " test(s) were skipped: " + skipped);
        }
        if (!reasons.isEmpty()) {
            throw new IllegalStateException(String.join("; ", reasons));
        }
    }
}
