/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import io.verbs4j.testsupport.program.ProgramOfPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the program in docs/guides/bulk.md, and compares the tables in docs/reference/bulk.md with the constants. */
class BulkDocumentedProgramTest {
    private static final Path PAGE = Path.of("..", "docs", "guides", "bulk.md");
    private static final Path TABLES = Path.of("..", "docs", "reference", "bulk.md");
    private static final int MOST_LINES = 60;

    @Test
    void programPrintsDocumentedOutput(@TempDir Path folder) throws Exception {
        String page = Files.readString(PAGE);
        Matcher program = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertThat(program.find()).isTrue();
        assertThat(program.group(1).lines().count()).isLessThanOrEqualTo(MOST_LINES);
        Matcher promise = Pattern.compile("It prints `([^`]+)`").matcher(page);
        assertThat(promise.find()).isTrue();
        List<String> command = new ArrayList<>(Jdk.own().command(List.of(), ProgramOfPage.class));
        command.addAll(List.of(PAGE.toString(), folder.toString()));
        assertThat(Program.run(command, 120).text().strip()).isEqualTo(promise.group(1));
    }

    @Test
    void tablesMatchConstants() throws Exception {
        assertThat(Files.readString(TABLES))
                .contains("NOP " + BulkOpcode.NOP + ", PUT " + BulkOpcode.PUT + ", GET " + BulkOpcode.GET)
                .contains("SEND " + BulkOpcode.SEND + ", RECV " + BulkOpcode.RECV + ", CANCEL " + BulkOpcode.CANCEL)
                .contains("BARRIER " + BulkOpcode.BARRIER + ", COPY " + BulkOpcode.COPY)
                .contains("LINK " + BulkFlags.LINK + ", DRAIN " + BulkFlags.DRAIN + ", FENCE " + BulkFlags.FENCE)
                .contains("QUIET " + BulkFlags.QUIET + ", NOTIFY " + BulkFlags.NOTIFY)
                .contains("MORE " + BulkResult.MORE + ", NOTIFY_ARRIVED " + BulkResult.NOTIFY_ARRIVED)
                .contains("PARTIAL " + BulkResult.PARTIAL + ", COPIED " + BulkResult.COPIED)
                .contains("REPLAYED " + BulkResult.REPLAYED);
    }
}
