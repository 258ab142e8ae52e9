/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Every example in docs/guides/mlx5dv.md must be one of those compiled here, which {@code DirectVerbsIT},
 * {@code MkeysIT} and {@code SteeringIT} run.
 */
class DocumentedExamplesTest {
    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @Test
    void everyDocumentedSnippetIsInAnExample() throws IOException {
        StringBuilder sources = new StringBuilder();
        Path folder = Path.of("src", "test", "java", "io", "verbs4j", "mlx5dv");
        for (String name : List.of("DcExample", "AllocatorExample", "KeyExample", "SteeringExample")) {
            sources.append(words(Files.readString(folder.resolve(name + ".java"))));
        }
        Matcher block = BLOCK.matcher(Files.readString(Path.of("..", "docs", "guides", "mlx5dv.md")));
        List<String> found = new ArrayList<>();
        while (block.find()) {
            found.add(words(block.group(1)));
        }
        assertThat(found)
                .hasSizeGreaterThanOrEqualTo(9)
                .allSatisfy(piece -> assertThat(sources).contains(piece));
    }

    /** Removes white space, since the documentation breaks lines differently. */
    private static String words(String text) {
        return text.replaceAll("\\s", "");
    }
}
