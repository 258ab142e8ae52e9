/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tools.text.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CopyProgressTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void barShowsBytesPercentRateAndTimeLeft() throws Exception {
        try (CopyProgress progress =
                new CopyProgress(new Progress(new PrintStream(out, true, StandardCharsets.UTF_8), true), false)) {
            progress.begin("a\u001bb", 4_000_000, 0);
            Thread.sleep(600);
            progress.at(1_000_000);
            Thread.sleep(200);
            progress.at(2_000_000);
        }
        String shown = out.toString(StandardCharsets.UTF_8);
        assertThat(shown)
                .containsPattern("\r\\[#+\\.+\\]  25 %  a\\.b  1\\.0 of 4\\.0 MB, [0-9.]+ MB/s, [0-9]+ s left")
                .contains(" 50 %  a.b  2.0 of 4.0 MB, ")
                .endsWith(" \r");
    }
}
