/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class SkippedTestListenerTest {
    private static final String HERE = SkippedTestListenerTest.class.getName();

    @TempDir
    Path folder;

    @Test
    void everySkippedTestIsListedWithItsReason() {
        SkippedTests list = list("1");

        String printed = run(list, SomeSkipped.class, AllSkipped.class);

        assertThat(printed.lines()).containsExactlyElementsOf(list.read());
        assertThat(list.read())
                .containsExactlyInAnyOrder(
                        "SKIPPED " + HERE + "$SomeSkipped.disabled: not yet",
                        "SKIPPED " + HERE + "$SomeSkipped.assuming: Assumption failed: no device here",
                        "SKIPPED " + HERE + "$SomeSkipped.odd [2] value = 2: Assumption failed: even",
                        "SKIPPED " + HERE + "$AllSkipped.*: the whole class");
    }

    @Test
    void modulesAddToListAndNextBuildClearsIt() {
        run(list("1"), AllSkipped.class);
        run(list("1"), AllSkipped.class);
        assertThat(list("1").read()).hasSize(2);
        assertThat(list("2").read()).as("seen from the next build").isEmpty();

        run(list("2"), AllSkipped.class);
        assertThat(list("2").read()).hasSize(1);
    }

    @Test
    void noFileIsWrittenWithoutSkippedTests() {
        run(list("1"), NoneSkipped.class);
        assertThat(Files.exists(file())).isFalse();
    }

    /** Runs the tests of the classes, and returns what the listener printed. */
    private static String run(SkippedTests list, Class<?>... classes) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(List.of(classes).stream().map(c -> selectClass(c)).toList())
                .build();
        LauncherConfig config = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .build();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LauncherFactory.create(config)
                .execute(request, new SkippedTestListener(list, new PrintStream(out, true, StandardCharsets.UTF_8)));
        return out.toString(StandardCharsets.UTF_8);
    }

    private SkippedTests list(String build) {
        return new SkippedTests(file(), build);
    }

    private Path file() {
        return folder.resolve("target").resolve("skipped.txt");
    }

    // The tests that the tests above run. Surefire ignores nested classes that are not @Nested.

    static class SomeSkipped {
        @Test
        void runs() {}

        @Test
        @Disabled("not yet")
        void disabled() {}

        @Test
        void assuming() {
            assumeTrue(false, "no device\n   here");
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3})
        void odd(int value) {
            assumeTrue(value % 2 == 1, "even");
        }
    }

    @Disabled("the whole class")
    static class AllSkipped {
        @Test
        void never() {}
    }

    static class NoneSkipped {
        @Test
        void runs() {}
    }
}
