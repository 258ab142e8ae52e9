/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.testsupport.StrictJson;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void writtenJsonReadsBackEqual() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("text", "quote \" backslash \\ line\nend\ttab \u0001 umlaut \u00e4 pair \ud83d\ude00");
        map.put("whole", 12345678901L);
        map.put("fraction", 0.000123);
        map.put("large", 1234.5678);
        map.put("yes", true);
        map.put("nothing", null);
        map.put("list", List.of(1, List.of(), Map.of()));
        Map<String, Object> read = StrictJson.object(Json.write(map));
        assertThat(read.get("text")).isEqualTo(map.get("text"));
        assertThat(read.get("whole")).isEqualTo(12345678901.0);
        assertThat(read.get("fraction")).isEqualTo(0.000123);
        assertThat(read.get("large")).isEqualTo(1234.568);
        assertThat(read).containsEntry("yes", true).containsEntry("nothing", null);
        assertThat(read.get("list")).isEqualTo(List.of(1.0, List.of(), Map.of()));
    }

    @Test
    void unpairedSurrogateIsEscaped() {
        String written = Json.write("a\ud83db");
        assertThat(written).isEqualTo("\"a\\ud83db\"");
        assertThat(StrictJson.read(written)).isEqualTo("a\ud83db");
    }

    @Test
    void nonFiniteNumbersAreNull() {
        assertThat(Json.write(Arrays.asList(Double.NaN, Double.POSITIVE_INFINITY)))
                .isEqualTo("[\n  null,\n  null\n]");
    }

    @Test
    void unknownTypeIsRefused() {
        assertThatThrownBy(() -> Json.write(new Object())).hasMessageContaining("java.lang.Object");
    }
}
