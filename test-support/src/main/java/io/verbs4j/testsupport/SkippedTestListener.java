/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Reports which tests were skipped and why: prints them when a module's tests end, and adds them to the list that is
 * printed at the end of the build ({@link BuildReport}). A test is skipped if it is disabled or an assumption does not
 * hold.
 */
public final class SkippedTestListener implements TestExecutionListener {
    /** The system property that names the file of the list; without it nothing is written. */
    public static final String FILE_PROPERTY = "verbs4j.skipped.file";

    /** The system property that distinguishes one build from another. */
    public static final String BUILD_PROPERTY = "verbs4j.build";

    private final SkippedTests list;
    private final PrintStream out;
    private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
    private volatile TestPlan plan;

    /** Creates the listener; for the service loader. The two system properties configure it. */
    public SkippedTestListener() {
        this(fromProperties(), System.out);
    }

    SkippedTestListener(SkippedTests list, PrintStream out) {
        this.list = list;
        this.out = out;
    }

    private static SkippedTests fromProperties() {
        String file = System.getProperty(FILE_PROPERTY);
        return file == null ? null : new SkippedTests(Path.of(file), System.getProperty(BUILD_PROPERTY, ""));
    }

    @Override
    public void testPlanExecutionStarted(TestPlan testPlan) {
        plan = testPlan;
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        add(test, reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
            add(test, result.getThrowable().map(Throwable::getMessage).orElse(null));
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan testPlan) {
        plan = null;
        List<String> found = drain();
        if (found.isEmpty()) {
            return;
        }
        found.forEach(out::println);
        if (list != null) {
            list.append(found);
        }
    }

    private List<String> drain() {
        if (lines.isEmpty()) {
            return Collections.emptyList();
        }
        List<String> found = List.copyOf(lines);
        lines.clear();
        return found;
    }

    private void add(TestIdentifier test, String reason) {
        String why = reason == null || reason.isBlank() ? "no reason given" : reason.strip();
        lines.add("SKIPPED " + name(test) + ": " + why.replaceAll("\\R\\s*", " "));
    }

    private String name(TestIdentifier test) {
        TestSource source = test.getSource().orElse(null);
        if (source instanceof MethodSource method) {
            return method.getClassName() + "." + method.getMethodName() + invocation(test, method);
        }
        if (source instanceof ClassSource type) {
            return type.getClassName() + ".*";
        }
        return test.getUniqueId();
    }

    /** Returns the invocation of a parameterized or repeated test; otherwise an empty text. */
    private String invocation(TestIdentifier test, MethodSource method) {
        TestPlan current = plan;
        if (current == null) {
            return "";
        }
        return current.getParent(test)
                .flatMap(TestIdentifier::getSource)
                .filter(method::equals)
                .map(same -> " " + test.getDisplayName())
                .orElse("");
    }
}
