/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectIteration;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.List;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs JUnit classes in the guest, which has no Maven. Prints a line per test: {@code pass}, {@code skip} or
 * {@code fail}, class and method, the test's name, and its message, separated by tabs. The last line is {@code done}
 * and their number.
 */
public final class TestsMain implements TestExecutionListener {
    private int count;

    private TestsMain() {}

    /**
     * Takes names of classes, and of methods as {@code CLASS#METHOD}; with {@code @N} appended, only the N-th case,
     * from 0.
     */
    public static void main(String... args) {
        List<DiscoverySelector> chosen =
                Stream.of(args).map(TestsMain::selector).toList();
        LauncherConfig config = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .build();
        TestsMain listener = new TestsMain();
        LauncherFactory.create(config)
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(chosen)
                                .build(),
                        listener);
        System.out.println("done\t" + listener.count);
        System.out.flush();
        Runtime.getRuntime().halt(0); // a failed test may have left a thread
    }

    private static DiscoverySelector selector(String name) {
        int at = name.indexOf('@');
        if (at >= 0) {
            return selectIteration(selector(name.substring(0, at)), Integer.parseInt(name.substring(at + 1)));
        }
        return name.contains("#") ? selectMethod(name) : selectClass(name);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (!test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
            return;
        }
        count++;
        String word = switch (result.getStatus()) {
            case SUCCESSFUL -> "pass";
            case ABORTED -> "skip";
            case FAILED -> "fail";
        };
        String said = result.getThrowable().map(Throwable::toString).orElse("");
        System.out.println(String.join("\t", word, where(test), line(test.getDisplayName()), line(said)));
    }

    private static String line(String text) {
        return text.replaceAll("\\s+", " ");
    }

    private static String where(TestIdentifier test) {
        return test.getSource()
                .map(source -> {
                    if (source instanceof MethodSource method) {
                        return simple(method.getClassName()) + "." + method.getMethodName();
                    }
                    return source instanceof ClassSource type ? simple(type.getClassName()) : source.toString();
                })
                .orElse("?");
    }

    private static String simple(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }
}
