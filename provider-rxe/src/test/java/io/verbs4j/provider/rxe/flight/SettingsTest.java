/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.flight;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.FlightRecorded;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.Configuration;
import org.junit.jupiter.api.Test;

/** The settings file and the page cover each event. */
class SettingsTest {
    private static final Pattern NAME = Pattern.compile("@Name\\(\"(io\\.verbs4j\\.\\w+)\"\\)");

    private static Set<String> events() throws Exception {
        Set<String> names = new TreeSet<>();
        for (String module : List.of("verbs-core", "verbs-cm", "verbs-rdma-core", "provider-rxe")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
                for (Path file : files.filter(path -> path.toString().endsWith("Event.java"))
                        .toList()) {
                    NAME.matcher(Files.readString(file))
                            .results()
                            .map(m -> m.group(1))
                            .forEach(names::add);
                }
            }
        }
        return names;
    }

    @Test
    void settingsEnableEachEvent() throws Exception {
        Configuration settings = Configuration.create(Path.of("..", "docs", "guides", "verbs4j.jfc"));
        assertThat(events()).hasSizeGreaterThan(7);
        assertThat(settings.getSettings().entrySet().stream()
                        .filter(setting -> setting.getKey().endsWith("#enabled")
                                && setting.getValue().equals("true"))
                        .map(setting -> setting.getKey().replace("#enabled", "")))
                .containsExactlyInAnyOrderElementsOf(events());
    }

    @Test
    void pageDescribesEachEvent() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "guides", "observing.md"));
        Set<String> described = Pattern.compile("\\| `(" + Pattern.quote(FlightRecorded.PREFIX) + "\\w+)` \\|")
                .matcher(page)
                .results()
                .map((MatchResult result) -> result.group(1))
                .collect(Collectors.toSet());
        assertThat(described).containsExactlyInAnyOrderElementsOf(events());
    }
}
