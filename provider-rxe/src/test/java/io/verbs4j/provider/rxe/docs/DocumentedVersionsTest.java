/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Versions of verbs4j in the documentation. */
class DocumentedVersionsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern VERSION = Pattern.compile("<version>([^<$]+)</version>");
    private static final Pattern DEPENDENCY = Pattern.compile(
            "<groupId>io\\.verbs4j</groupId>\\s*<artifactId>([^<]+)</artifactId>\\s*<version>([^<]+)</version>");

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    private static List<String> released() throws IOException {
        return Files.readAllLines(ROOT.resolve("compat-tests/frozen/RELEASED")).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    @Test
    void dependenciesHaveVersionOfBuild() throws IOException {
        Matcher built = VERSION.matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(built.find()).isTrue();
        int found = 0;
        for (Path page : pages()) {
            for (MatchResult dependency :
                    DEPENDENCY.matcher(Files.readString(page)).results().toList()) {
                assertThat(dependency.group(2))
                        .as(page + " on " + dependency.group(1))
                        .isEqualTo(built.group(1));
                found++;
            }
        }
        assertThat(found).isPositive();
    }

    @Test
    void readmeNamesLastRelease() throws IOException {
        List<String> all = released();
        String[] last = all.get(all.size() - 1).split(" ", 3);
        assertThat(Files.readString(ROOT.resolve("README.md")))
                .contains("**Released**: " + last[1] + ", level " + last[0] + " of the API");
    }
}
