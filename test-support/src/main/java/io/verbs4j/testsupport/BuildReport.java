/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import io.verbs4j.testsupport.TestReports.Outcome;
import io.verbs4j.testsupport.TestReports.TestClass;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Ends a build: prints how many tests passed, which failed, which were skipped and why, and which classes took longest.
 * The build fails if a test failed, or, with {@code VERBS4J_NO_SKIP=1} in the environment, if one was skipped.
 */
public final class BuildReport {
    private static final int SLOWEST = 10;

    private BuildReport() {}

    /**
     * Runs in the module build-report.
     *
     * @param args the file of the list of skipped tests, the build that it must be of, the folder with the modules, the
     *     folder below each of them that the build writes to, and how much was tested, an {@link Extent}
     */
    public static void main(String[] args) {
        boolean noSkip = "1".equals(System.getenv("VERBS4J_NO_SKIP"));
        Outcome outcome = new TestReports(Path.of(args[2]), args[3], args[1]).read();
        List<String> skipped = new SkippedTests(Path.of(args[0]), args[1]).read();
        report(outcome, skipped, noSkip, Extent.valueOf(args[4]), System.out);
    }

    static void report(Outcome outcome, List<String> skipped, boolean noSkip, Extent extent, PrintStream out) {
        List<String> failed = outcome.failed();
        if (!outcome.classes().isEmpty()) {
            out.println("Slowest of " + outcome.classes().size() + " test classes:");
            outcome.classes().stream()
                    .sorted(Comparator.comparingDouble(TestClass::seconds).reversed())
                    .limit(SLOWEST)
                    .forEach(one -> out.printf(Locale.ROOT, "%8.1f s  %s%n", one.seconds(), one.name()));
        }
        out.println("Tests passed: " + outcome.passed());
        out.println(skipped.isEmpty() ? "No test was skipped." : "Tests skipped: " + skipped.size());
        skipped.forEach(out::println);
        out.println(failed.isEmpty() ? "No test failed." : "Tests failed: " + failed.size());
        failed.forEach(out::println);
        if (extent == Extent.SHORT) {
            out.println("This was the short form; ./mvnw verify -Pfull runs all that continuous integration does.");
        }
        List<String> reasons = new ArrayList<>();
        if (!failed.isEmpty()) {
            reasons.add(failed.size() + " test(s) failed; they are listed above");
        }
        if (noSkip && !skipped.isEmpty()) {
            reasons.add("VERBS4J_NO_SKIP=1 and " + skipped.size() + " test(s) were skipped; they are listed above");
        }
        if (!reasons.isEmpty()) {
            throw new IllegalStateException(String.join("; ", reasons));
        }
    }
}
