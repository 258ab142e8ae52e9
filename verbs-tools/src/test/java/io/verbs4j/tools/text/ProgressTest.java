/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void terminalShowsBarThatIsErased() throws InterruptedException {
        try (Progress progress = new Progress(out, true)) {
            Thread.sleep(120);
            progress.at("send", 0.5);
        }
        String text = bytes.toString(StandardCharsets.UTF_8);
        assertThat(text)
                .startsWith("\r[###############...............]  50 %  send")
                .doesNotContain("60 %");
        assertThat(text.substring(text.lastIndexOf('\r'))).isEqualTo("\r");
        assertThat(text.stripTrailing()).doesNotContain("\n");
    }

    @Test
    void shortWorkPrintsNothingWithoutTerminal() {
        try (Progress progress = new Progress(out, false)) {
            progress.at("send", 0.5);
        }
        assertThat(bytes.size()).isZero();
    }
}
