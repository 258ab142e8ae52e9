/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tools.base.ExitCode;
import io.verbs4j.tools.base.ToolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationTest {
    @ParameterizedTest
    @CsvSource({
        "host:,host,''",
        "host:name,host,name",
        "host:a/b/,host,a/b/",
        "host:a:b,host,a:b",
        "10.0.0.1:x,10.0.0.1,x",
        "[::1]:,::1,''",
        "[fe80::1%eth0]:a/b,fe80::1%eth0,a/b"
    })
    void hostAndPathAreSplitAtColon(String text, String host, String path) {
        assertThat(Destination.of(text)).isEqualTo(new Destination(host, path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", "a/b", ":", ":name", "::1:", "[::1]", "[::1", "[]:x", "[::1]x:"})
    void malformedDestinationIsRefused(String text) {
        assertThatThrownBy(() -> Destination.of(text))
                .isInstanceOfSatisfying(
                        ToolException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void severalFilesRequireFolder() {
        new Destination("h", "").requireFolder(2);
        new Destination("h", "sub/").requireFolder(2);
        new Destination("h", "name").requireFolder(1);
        assertThatThrownBy(() -> new Destination("h", "name").requireFolder(2))
                .hasMessageContaining("'name' would be the name of 2 files");
    }
}
