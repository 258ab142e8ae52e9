/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The documentation quotes the examples word for word. The examples themselves are tested in their project. */
class QuotedCodeTest {
    private static final Path EXAMPLES = Path.of("..", "examples", "applications", "src", "main", "java");

    @ParameterizedTest
    @CsvSource({"docs/guides/server.md, 4", "docs/guides/ud.md, 1", "docs/guides/srq.md, 1"})
    void quotationsMatchExamples(String page, int atLeast) throws Exception {
        List<String> quotations = DocumentedProgramsTest.PROGRAM
                .matcher(Files.readString(Path.of("..", page)))
                .results()
                .map(MatchResult::group)
                .map(block -> block.substring("```java\n".length(), block.length() - "```".length()))
                .filter(block -> !block.startsWith("import ")) // a program: DocumentedProgramsTest runs it
                .toList();
        assertThat(quotations).hasSizeGreaterThanOrEqualTo(atLeast);

        List<String> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(EXAMPLES)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                sources.add(Files.readString(file));
            }
        }
        assertThat(quotations).allSatisfy(quotation -> assertThat(sources).anyMatch(s -> s.contains(quotation)));
    }
}
