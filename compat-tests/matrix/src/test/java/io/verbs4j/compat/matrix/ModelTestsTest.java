/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everything named in the table of tests modelled on rdma-core exists: modules, classes, cases, and steps of the
 * matrix.
 */
class ModelTestsTest {
    private static final Path ROOT = Checkout.ROOT;
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");
    private static final Pattern CASE = Pattern.compile("@(Test|ParameterizedTest|Property)\\b");
    private static final Pattern PARENT = Pattern.compile("\\bclass \\w+ extends (\\w+)");

    private static List<String[]> rows() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/internals/compatibility.md"));
        String chapter = page.substring(page.indexOf("## Tests modelled on rdma-core"));
        return chapter.lines()
                .takeWhile(line -> !line.startsWith("## How to add"))
                .filter(line -> line.startsWith("| `test_"))
                .map(line -> line.split("\\|"))
                .toList();
    }

    private static Map<String, Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""), file -> file, (a, b) -> a));
        }
    }

    /** {@return the source of a class, with those of its superclasses} */
    private static String source(Map<String, Path> sources, String name) throws IOException {
        String text = Files.readString(sources.get(name));
        Matcher parent = PARENT.matcher(text);
        return parent.find() && sources.containsKey(parent.group(1)) ? text + source(sources, parent.group(1)) : text;
    }

    static Stream<String> files() throws IOException {
        return rows().stream().map(row -> row[1].strip());
    }

    @ParameterizedTest
    @MethodSource("files")
    void namedTestsExist(String file) throws IOException {
        String[] row = rows().stream()
                .filter(r -> r[1].strip().equals(file))
                .findFirst()
                .orElseThrow();
        assertThat(row[2]).as("cases").matches(" \\d+.*");
        List<String> names = NAME.matcher(row[3])
                .results()
                .map((MatchResult m) -> m.group(1))
                .toList();
        assertThat(names.isEmpty()).as("nothing is named").isEqualTo(row[3].contains("level 4"));
        Map<String, Path> sources = sources();
        String steps = Files.readString(sources.get("AppSource"));
        String last = "";
        for (String name : names) {
            if (Character.isUpperCase(name.charAt(0))) {
                assertThat(sources).as("a class").containsKey(name);
                last = source(sources, name);
                if (name.endsWith("Test") || name.endsWith("IT")) {
                    assertThat(last).as(name).containsPattern(CASE);
                }
            } else if (Files.exists(ROOT.resolve(name).resolve("pom.xml"))) {
                assertThat(name).as("a module").doesNotContain("/");
            } else if (name.indexOf('_') >= 0) {
                assertThat(steps).as("a step of the matrix").contains('"' + name + '"');
            } else {
                assertThat(last)
                        .as("a case of the class before")
                        .containsPattern("(\\bvoid |\"[^\"\n]*\\b)" + name + "\\b");
            }
        }
    }
}
