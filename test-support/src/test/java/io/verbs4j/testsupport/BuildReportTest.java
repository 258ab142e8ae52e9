/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
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
        return "<?xml version='1.0' encoding='UTF-8'?><testsuite>" + body + "</testsuite>";
    }

    private static String test(String name, String body) {
        return "<testcase name='" + name + "' classname='one.Test'>" + body + "</testcase>";
    }

    private List<String> failed() {
        return new FailedTests(root, "target", BUILD).read();
    }

    @Test
    void everyFailedTestOfTheBuildIsListed() throws IOException {
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
    }

    @Test
    void jvmThatEndedBeforeItsTestsIsListed() throws IOException {
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
    void reportFailsAfterBothListsWhereOneTestFailed() {
        assertThat(print(List.of(), List.of(), true)).isEqualTo("No test was skipped.\nNo test failed.\n");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThatThrownBy(() -> BuildReport.report(List.of("FAILED x"), List.of(SKIPPED), false, stream(out)))
                .hasMessage("1 test(s) failed: [FAILED x]");
        assertThat(text(out)).isEqualTo("Tests skipped: 1\n" + SKIPPED + "\nTests failed: 1\nFAILED x\n");
    }

    @Test
    void reportFailsOnSkippedTestsOnlyWhereNoneMayBe() {
        assertThat(print(List.of(), List.of(SKIPPED), false))
                .isEqualTo("Tests skipped: 1\n" + SKIPPED + "\nNo test failed.\n");
        assertThatThrownBy(() -> print(List.of(), List.of(SKIPPED), true)).hasMessageContaining(SKIPPED);
    }

    private static PrintStream stream(ByteArrayOutputStream out) {
        return new PrintStream(out, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream out) {
        return out.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }

    private static String print(List<String> failed, List<String> skipped, boolean noSkip) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BuildReport.report(failed, skipped, noSkip, stream(out));
        return text(out);
    }
}
