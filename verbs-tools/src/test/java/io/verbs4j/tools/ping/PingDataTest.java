/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.ping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tools.base.ToolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PingDataTest {
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz";

    /** Each ping starts one letter later than the ping before; the 58th starts with A again. */
    @ParameterizedTest
    @CsvSource({
        "0,64,rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqr",
        "1,64,rdma-ping-1: BCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrs",
        "10,40,rdma-ping-10: KLMNOPQRSTUVWXYZ[\\]^_`abc",
        "57,40,rdma-ping-57: zABCDEFGHIJKLMNOPQRSTUVWX",
        "58,40,rdma-ping-58: ABCDEFGHIJKLMNOPQRSTUVWXY",
    })
    void dataEqualsThatOfRping(long ping, int length, String text) {
        ByteBuffer buffer = ByteBuffer.allocate(length + 2).put(0, (byte) 1).put(length + 1, (byte) 1);
        PingData.fill(buffer, 1, length, ping);
        byte[] expected = (text + '\0').getBytes(StandardCharsets.US_ASCII);
        byte[] there = new byte[length];
        buffer.get(1, there);
        assertThat(there).isEqualTo(expected);
        assertThat(buffer.get(0)).isOne();
        assertThat(buffer.get(length + 1)).isOne();
        assertThat(PingData.toString(buffer, 1, length)).isEqualTo(text);
        PingData.verify(buffer, 1, length, ping);
    }

    @Test
    void longPingRepeatsLetters() {
        ByteBuffer buffer = ByteBuffer.allocate(200);
        PingData.fill(buffer, 0, 200, 3);
        assertThat(PingData.toString(buffer, 0, 200)).contains(LETTERS + LETTERS.substring(0, 10));
    }

    @Test
    void minimumSizeFitsLongestHeader() {
        ByteBuffer buffer = ByteBuffer.allocate(PingData.LEAST);
        PingData.fill(buffer, 0, PingData.LEAST, Integer.MAX_VALUE);
        assertThat(PingData.toString(buffer, 0, PingData.LEAST)).startsWith("rdma-ping-2147483647: ");
    }

    /** Checks each byte, including the terminating zero. */
    @Test
    void everyWrongByteIsDetected() {
        ByteBuffer buffer = ByteBuffer.allocate(64);
        for (int i = 0; i < 64; i++) {
            PingData.fill(buffer, 0, 64, 7);
            buffer.put(i, (byte) (buffer.get(i) ^ 1));
            String where = "at offset " + i + ",";
            assertThatThrownBy(() -> PingData.verify(buffer, 0, 64, 7))
                    .isInstanceOf(ToolException.class)
                    .hasMessageContaining("data mismatch: ping 7 of 64 bytes")
                    .hasMessageContaining(where);
        }
        PingData.fill(buffer, 0, 64, 8);
        assertThatThrownBy(() -> PingData.verify(buffer, 0, 64, 7)).hasMessageContaining("offset 10,");
    }

    @Test
    void unterminatedTextEndsWithBuffer() {
        ByteBuffer buffer = ByteBuffer.wrap("abcd".getBytes(StandardCharsets.US_ASCII));
        assertThat(PingData.textLength(buffer, 0, 3)).isEqualTo(3);
        assertThat(PingData.textLength(buffer, 0, 4)).isEqualTo(4);
    }
}
