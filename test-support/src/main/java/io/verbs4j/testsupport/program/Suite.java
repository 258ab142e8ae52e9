/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport.program;

import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs test classes in a JVM that another test has chosen. They run in the order of their names, as in the build. In
 * the order of the files, a test that waits until nothing is left could run after one that leaves connections, which
 * last for a minute.
 */
public final class Suite {
    private Suite() {}

    /**
     * Runs the test classes of a package whose names match a pattern, and exits with 1 if one fails or none was found.
     */
    public static void main(String[] args) {
        System.exit(run(args[0], args[1]) ? 0 : 1);
    }

    /**
     * Runs the test classes of a package, and of those below it, whose names match a pattern; prints what failed, and
     * how many passed and failed. Returns whether all passed.
     */
    public static boolean run(String packageName, String pattern) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectPackage(packageName))
                                .filters(includeClassNamePatterns(pattern))
                                .configurationParameter(
                                        ClassOrderer.DEFAULT_ORDER_PROPERTY_NAME,
                                        ClassOrderer.ClassName.class.getName())
                                .build(),
                        listener);
        TestExecutionSummary summary = listener.getSummary();
        summary.printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        System.out.println("passed " + summary.getTestsSucceededCount());
        System.out.println("failed " + summary.getTotalFailureCount());
        return summary.getTotalFailureCount() == 0 && summary.getTestsSucceededCount() > 0;
    }
}
