/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code in the guide is that of the example, which has tests of its own. */
class GuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "guides", "writing-a-provider.md");
    private static final Path EXAMPLE = Path.of("..", "examples", "third-party-provider", "src");
    private static final Pattern BLOCK = Pattern.compile("(?s)```java\n(.*?)```");

    private static String words(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }

    private static String chapter(String title) throws IOException {
        String guide = Files.readString(GUIDE);
        int start = guide.indexOf("## " + title);
        return guide.substring(start, guide.indexOf("\n## ", start + 1));
    }

    private static String example() throws IOException {
        try (Stream<Path> files = Files.walk(EXAMPLE)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(GuideTest::read)
                    .map(GuideTest::words)
                    .collect(Collectors.joining("\n"));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> blocks(String title) throws IOException {
        return BLOCK.matcher(chapter(title))
                .results()
                .map((MatchResult block) -> words(block.group(1)))
                .toList();
    }

    @Test
    void chaptersShowExample() throws IOException {
        List<String> vendor = blocks("Vendor verbs");
        assertThat(vendor).hasSizeGreaterThanOrEqualTo(5);
        List<String> extended = blocks("Extended verbs");
        assertThat(extended).hasSizeGreaterThanOrEqualTo(2);
        assertThat(example()).contains(vendor).contains(extended);
    }

    @Test
    void filesNamedByGuideExist() throws IOException {
        List<String> named = Pattern.compile("(?m)^\\| `(Loop|Work|Conn|Compl).*? \\|")
                .matcher(Files.readString(GUIDE))
                .results()
                .flatMap(row -> Pattern.compile("`(\\w+)`").matcher(row.group()).results())
                .map(name -> name.group(1))
                .toList();

        assertThat(named).contains("LoopProvider", "Connection", "LoopVerbs", "LoopApp");
        try (Stream<Path> files = Files.walk(EXAMPLE)) {
            List<String> there = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.replace(".java", ""))
                    .toList();
            assertThat(there).containsAll(named);
        }
    }
}
