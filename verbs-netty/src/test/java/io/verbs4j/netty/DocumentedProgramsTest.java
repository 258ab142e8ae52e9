/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs of docs/guides/netty.md compile and run as printed. */
class DocumentedProgramsTest {
    private static final Path PAGE = Path.of("..", "docs", "guides", "netty.md");
    private static final int SECONDS = 120;

    @ParameterizedTest
    @ValueSource(strings = {"HelloGrpc", "HelloNetty"})
    void programPrintsDocumentedOutput(String name, @TempDir Path folder) throws Exception {
        Matcher promise = Pattern.compile(name + " prints `([^`]+)`").matcher(Files.readString(PAGE));
        assertThat(promise.find()).isTrue();
        List<String> command = new ArrayList<>(Jdk.own().command(List.of(), ProgramOfPage.class));
        command.addAll(List.of(PAGE.toString(), folder.toString(), name));
        assertThat(Program.run(command, SECONDS).text().strip()).isEqualTo(promise.group(1));
    }
}
