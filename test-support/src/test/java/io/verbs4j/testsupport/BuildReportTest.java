/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.testsupport.TestReports.Outcome;
import io.verbs4j.testsupport.TestReports.TestClass;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildReportTest {
    private static final String BUILD = "20260102-030405";
    private static final Instant BEGUN = Instant.parse("2026-01-02T03:04:05Z");
    private static final String SKIPPED = "SKIPPED one.Test.method: no device";

    @TempDir
    Path root;

    private void report(String file, Instant time, String content) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
        Files.setLastModifiedTime(path, FileTime.from(time));
    }

    private static String tests(String body) {
        return "<?xml version='1.0' encoding='UTF-8'?><testsuite name='one.Test' time='1,002.5'>" + body
                + "</testsuite>";
    }

    private static String test(String name, String body) {
        return "<testcase name='" + name + "' classname='one.Test'>" + body + "</testcase>";
    }

    private Outcome outcome() {
        return new TestReports(root, "target", BUILD).read();
    }

    private List<String> failed() {
        return outcome().failed();
    }

    @Test
    void everyFailedTestIsListed() throws IOException {
        String body = test("passes", "")
                + test("fails", "<failure message='expected: 1&#10;  but was: 2'>at</failure>")
                + test("breaks", "<error type='java.lang.Error'/>")
                + test("skips", "<skipped message='no device'/>")
                + test("passesAgain", "<flakyFailure message='once'/>");
        report("first/target/surefire-reports/TEST-one.Test.xml", BEGUN, tests(body));
        report("second/target/failsafe-reports/TEST-one.IT.xml", BEGUN.plusSeconds(60), tests(test("its", "<error/>")));
        report("third/target/surefire-reports/TEST-old.xml", BEGUN.minusSeconds(1), tests(test("old", "<error/>")));

        assertThat(failed())
                .containsExactly(
                        "FAILED one.Test.fails: expected: 1 but was: 2",
                        "FAILED one.Test.breaks",
                        "FAILED one.Test.its");
        assertThat(outcome().passed()).as("passes, and passesAgain").isEqualTo(2);
        assertThat(outcome().classes())
                .containsExactly(new TestClass("one.Test", 1002.5), new TestClass("one.Test", 1002.5));
    }

    @Test
    void modulesInModulesAreRead() throws IOException {
        report("first/inner/pom.xml", BEGUN.minusSeconds(1), "<project/>");
        report("first/inner/target/surefire-reports/TEST-one.Test.xml", BEGUN, tests(test("inner", "<error/>")));
        report("first/other/target/surefire-reports/TEST-one.Test.xml", BEGUN, tests(test("other", "<error/>")));

        assertThat(failed()).containsExactly("FAILED one.Test.inner");
    }

    @Test
    void crashedJvmIsListed() throws IOException {
        String summary = "<failsafe-summary result='254'><failureMessage>The forked VM terminated</failureMessage>"
                + "</failsafe-summary>";
        report("first/target/failsafe-reports/failsafe-summary.xml", BEGUN, summary);
        report(
                "second/target/failsafe-reports/failsafe-summary.xml",
                BEGUN,
                "<failsafe-summary><failureMessage xsi:nil='true' xmlns:xsi='http://x'/></failsafe-summary>");

        assertThat(failed()).containsExactly("FAILED integration tests of first: The forked VM terminated");
    }

    @Test
    void buildWithoutReportsHasNoFailedTests() {
        assertThat(failed()).isEmpty();
    }

    @Test
    void tenSlowestClassesAndOmittedTestsAreListed() {
        List<TestClass> classes = IntStream.rangeClosed(1, 12)
                .mapToObj(i -> new TestClass("a.T" + i, i / 4.0))
                .toList();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BuildReport.report(new Outcome(7, List.of(), classes), List.of(), true, Extent.SHORT, stream(out));
        assertThat(text(out).lines())
                .startsWith("Slowest of 12 test classes:", "     3.0 s  a.T12", "     2.8 s  a.T11")
                .contains("     0.8 s  a.T3", "Tests passed: 7")
                .noneMatch(line -> line.endsWith(" a.T2"))
                .anyMatch(line -> line.contains("./mvnw verify -Pfull"));
    }

    @Test
    void failedTestFailsReportAfterBothLists() {
        assertThat(print(List.of(), List.of(), true))
                .isEqualTo("Tests passed: 0\nNo test was skipped.\nNo test failed.\n");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThatThrownBy(() -> report(List.of("FAILED x"), List.of(SKIPPED), false, out))
                .hasMessage("1 test(s) failed; they are listed above");
        assertThat(text(out))
                .isEqualTo("Tests passed: 0\nTests skipped: 1\n" + SKIPPED + "\nTests failed: 1\nFAILED x\n");
    }

    @Test
    void skippedTestsFailReportOnlyIfForbidden() {
        assertThat(print(List.of(), List.of(SKIPPED), false))
                .isEqualTo("Tests passed: 0\nTests skipped: 1\n" + SKIPPED + "\nNo test failed.\n");
        assertThatThrownBy(() -> print(List.of(), List.of(SKIPPED), true))
                .hasMessage("VERBS4J_NO_SKIP=1 and 1 test(s) were skipped; they are listed above");
    }

    private static PrintStream stream(ByteArrayOutputStream out) {
        return new PrintStream(out, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream out) {
        return out.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }

    private static void report(List<String> failed, List<String> skipped, boolean noSkip, ByteArrayOutputStream out) {
        BuildReport.report(new Outcome(0, failed, List.of()), skipped, noSkip, Extent.FULL, stream(out));
    }

    private static String print(List<String> failed, List<String> skipped, boolean noSkip) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        report(failed, skipped, noSkip, out);
        return text(out);
    }
}
