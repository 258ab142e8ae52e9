/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatternTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 8, 9, 63, 64, 65, 4096, 4099})
    void everyChangedByteIsDetected(int length) {
        ByteBuffer buffer = Pattern.allocate(length + 24);
        Pattern.fill(buffer, 3, length, 42);
        assertThat(Pattern.firstDifference(buffer, 3, length, 42)).isEqualTo(-1);
        for (int i = 0; i < length; i++) {
            byte good = buffer.get(3 + i);
            assertThat(Pattern.at(42, i)).isEqualTo(good);
            buffer.put(3 + i, (byte) (good ^ 0x10));
            assertThat(Pattern.firstDifference(buffer, 3, length, 42)).isEqualTo(i);
            buffer.put(3 + i, good);
        }
        assertThat(buffer.get(2)).isZero();
        assertThat(buffer.get(3 + length)).isZero();
    }

    @Test
    void messagesDifferInNearlyEveryByte() {
        long[] seeds = {
            Pattern.seed(0, 0, 0),
            Pattern.seed(1, 0, 0),
            Pattern.seed(0, 1, 0),
            Pattern.seed(0, 0, 1),
            Pattern.seed(1, 1, 1),
        };
        for (long a : seeds) {
            for (long b : seeds) {
                int same = 0;
                for (int i = 0; i < 4096; i++) {
                    same += Pattern.at(a, i) == Pattern.at(b, i) ? 1 : 0;
                }
                assertThat(same).isEqualTo(a == b ? 4096 : same).isLessThan(a == b ? 4097 : 64);
            }
        }
    }

    @Test
    void shiftedMessageIsDetected() {
        ByteBuffer buffer = Pattern.allocate(4096);
        Pattern.fill(buffer, 0, 4096, 1);
        assertThat(Pattern.firstDifference(buffer, 1, 4000, 1)).isNotNegative();
        assertThat(Pattern.firstDifference(buffer, 8, 4000, 1)).isNotNegative();
    }

    /** Otherwise a first message of one byte would not identify its sender. */
    @Test
    void firstByteIdentifiesSender() {
        byte client = Pattern.at(Pattern.seed(0, 0, 0), 0);
        byte server = Pattern.at(Pattern.seed(1, 0, 0), 0);
        assertThat(client).isNotEqualTo(server).isNotEqualTo((byte) 0x7b).isNotEqualTo((byte) 0);
        assertThat(server).isNotEqualTo((byte) 0x7b).isNotEqualTo((byte) 0);
    }
}
