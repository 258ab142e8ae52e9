/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the places of fields with the reference manual. */
class MailboxTest {
    @Test
    void fieldsAreLaidOutAsInReferenceManual() {
        Mailbox m = new Mailbox(32)
                .opcode(0x912)
                .opMod(0x0a0b)
                .put(0x48, 24, 0x123456)
                .put(0x80, 64, 0x1122334455667788L);
        assertThat(m.toBytes())
                .startsWith(0x09, 0x12, 0, 0, 0, 0, 0x0a, 0x0b, 0, 0x12, 0x34, 0x56, 0, 0, 0, 0)
                .endsWith(0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, (byte) 0x88, 0, 0, 0, 0, 0, 0, 0, 0);
        assertThat(m.opcode()).isEqualTo(0x912);
    }

    @Test
    void writingFieldKeepsNeighbouringBits() {
        Mailbox m = new Mailbox(16);
        for (int bit = 0; bit < 128; bit += 2) {
            m.put(bit, 1, 1);
        }
        m.put(0x2b, 11, 0);
        for (int bit = 0; bit < 128; bit++) {
            assertThat(m.get(bit, 1)).as("bit %d", bit).isEqualTo(bit >= 0x2b && bit < 0x2b + 11 ? 0 : 1 - (bit & 1));
        }
    }

    @Test
    void allOnesFillExactlyOneField() {
        for (int width = 1; width <= 64; width++) {
            for (int bit = 0; bit <= 128 - width; bit++) {
                Mailbox m = new Mailbox(16).put(bit, width, -1L >>> 64 - width);
                assertThat(m.get(bit, width)).isEqualTo(-1L >>> 64 - width);
                int ones = 0;
                for (byte b : m.toBytes()) {
                    ones += Integer.bitCount(b & 0xff);
                }
                assertThat(ones).as("%d at %d", width, bit).isEqualTo(width);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 1, 0",
        "0, 0, 0",
        "0, 65, 0",
        "128, 1, 0",
        "100, 29, 0",
        "2147483647, 8, 0",
        "0, 4, 16",
        "0, 63, -1"
    })
    void puttingOutOfRangeFieldOrValueFails(int bit, int width, long value) {
        Mailbox m = new Mailbox(16).opcode(0x123);
        byte[] before = m.toBytes();
        assertThatThrownBy(() -> m.put(bit, width, value))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        assertThat(m.toBytes()).isEqualTo(before);
    }

    @Test
    void outOfRangeReadsAndSizesFail() {
        Mailbox m = new Mailbox(16);
        assertThatThrownBy(() -> m.get(120, 9)).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> m.getInt(0, 33)).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> new Mailbox(15)).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> new Mailbox(0x10000)).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> new Mailbox((byte[]) null)).isInstanceOf(VerbsException.class);
    }

    @Test
    void exceptionReportsStatusAndSyndrome() {
        Mailbox out = new Mailbox(new byte[] {5, 0, 0, 0, 0x12, 0x34, 0x56, 0x78, 0, 0, 0, 0, 0, 0, 0, 0});
        DevxException e = new DevxException("verb", "command", 0x912, out);
        assertThat(e.status).isEqualTo(DevxStatus.BAD_RES);
        assertThat(e.syndrome).isEqualTo(0x12345678);
        assertThat(e.errno()).isEqualTo(DevxException.EREMOTEIO);
        assertThat(e).hasMessageContaining("0x05 (BAD_RES").hasMessageContaining("0x12345678");
        assertThat(out.toString()).contains("0000   05 00 00 00  12 34 56 78");
        assertThat(out.clear().status()).isEqualTo(DevxStatus.OK);
    }
}
