/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {
    @Test
    void controlCharactersBecomeDots() {
        assertThat(Printable.of("a\u001b[31mb\u0007\r\n\t\u009b\u0000")).isEqualTo("a.[31mb......");
        assertThat(Printable.of("\u202eabc\u2066\u200b\u2028\ud800!")).isEqualTo(".abc....!");
    }

    @Test
    void ordinaryTextIsUnchanged() {
        assertThat(Printable.of("Größe 4 µs, 漢字 \ud83d\ude00")).isEqualTo("Größe 4 µs, 漢字 \ud83d\ude00");
    }
}
