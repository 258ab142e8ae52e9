/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeLimitTest {
    @AfterEach
    void clear() {
        System.clearProperty(TimeLimit.PROPERTY);
    }

    @Test
    void defaultIsHalfAMinute() {
        assertThat(TimeLimit.ofProperty()).isEqualTo(new TimeLimit(30_000_000_000L));
    }

    @ParameterizedTest
    @CsvSource({
        "5, 5000000000",
        " 0.5 , 500000000",
        "1e-12, 1",
        "0, 9223372036854775807",
        "1e300, 9223372036854775807",
        "Infinity, 9223372036854775807"
    })
    void propertyIsInSeconds(String text, long nanos) {
        System.setProperty(TimeLimit.PROPERTY, text);
        assertThat(TimeLimit.ofProperty().nanos()).isEqualTo(nanos);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "NaN", "5 s"})
    void invalidTimeIsRefused(String text) {
        System.setProperty(TimeLimit.PROPERTY, text);
        assertFails(
                Errno.EINVAL,
                TimeLimit::ofProperty,
                "-Dio.verbs4j.provider.timeout=" + text + ": must be a number of seconds");
    }
}
