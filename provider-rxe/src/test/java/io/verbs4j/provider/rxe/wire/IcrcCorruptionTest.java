/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which damage is detected, and how much is not; the figures of docs/internals/icrc.md. */
class IcrcCorruptionTest {
    private static final int ROUNDS = 2_000_000;
    private static final int RESERVED_BYTE = 4;

    private final Icrc icrc = new Icrc();
    private final Icrc strict = new Icrc(true);
    private final SplittableRandom random = new SplittableRandom(16);
    private final ByteBuffer b = ByteBuffer.allocateDirect(8192);

    /** In a packet of any RoCE size, even though the identification is unknown. */
    @ParameterizedTest
    @ValueSource(ints = {0, 64, 1024, 4096})
    void everySingleBitErrorIsDetected(int payload) {
        int length = TestPackets.send(b, 0, payload, random);
        TestPackets.appendV4(icrc, b, 0, length, 0x1234);
        for (int bit = 0; bit < 8 * (length + Icrc.LENGTH); bit++) {
            flip(bit);
            boolean masked = bit / 8 == RESERVED_BYTE;
            assertThat(TestPackets.verifyV4(icrc, b, 0, length))
                    .as("bit %d", bit)
                    .isEqualTo(masked);
            flip(bit);
        }
        assertThat(TestPackets.verifyV4(icrc, b, 0, length)).isTrue();
    }

    @Test
    void everyAdjacentDoubleBitErrorIsDetected() {
        int length = TestPackets.send(b, 0, 4096, random);
        TestPackets.appendV4(icrc, b, 0, length, 0x1234);
        for (int bit = 8 * RESERVED_BYTE + 8; bit < 8 * (length + Icrc.LENGTH) - 1; bit++) {
            flip(bit);
            flip(bit + 1);
            assertThat(TestPackets.verifyV4(icrc, b, 0, length))
                    .as("bit %d", bit)
                    .isFalse();
            flip(bit);
            flip(bit + 1);
        }
    }

    /**
     * Of all pairs of bits about one in 65536 is taken for another identification; none if there is no identification
     * to find.
     */
    @Test
    void fewDoubleBitErrorsAreMissed() {
        int length = TestPackets.send(b, 0, 64, random);
        int bits = 8 * (length + Icrc.LENGTH);
        int first = 8 * RESERVED_BYTE + 8;
        int pairs = 0;
        int taken = 0;
        int takenStrict = 0;
        int takenV6 = 0;
        TestPackets.appendV4(icrc, b, 0, length, 0);
        for (int i = first; i < bits; i++) {
            flip(i);
            for (int j = i + 1; j < bits; j++) {
                flip(j);
                pairs++;
                taken += TestPackets.verifyV4(icrc, b, 0, length) ? 1 : 0;
                takenStrict += TestPackets.verifyV4(strict, b, 0, length) ? 1 : 0;
                flip(j);
            }
            flip(i);
        }
        TestPackets.appendV6(icrc, b, 0, length);
        for (int i = first; i < bits; i++) {
            flip(i);
            for (int j = i + 1; j < bits; j++) {
                flip(j);
                takenV6 += TestPackets.verifyV6(icrc, b, 0, length) ? 1 : 0;
                flip(j);
            }
            flip(i);
        }
        assertThat(pairs).isGreaterThan(150_000);
        assertThat(taken).isLessThanOrEqualTo(10);
        assertThat(takenStrict).isZero();
        assertThat(takenV6).isZero();
    }

    @Test
    void fewRandomErrorsAreMissedOverIpv4() {
        int length = TestPackets.send(b, 0, 64, random);
        int taken = 0;
        int takenStrict = 0;
        for (int i = 0; i < ROUNDS; i++) {
            damage(length);
            taken += TestPackets.verifyV4(icrc, b, 0, length) ? 1 : 0;
            takenStrict += TestPackets.verifyV4(strict, b, 0, length) ? 1 : 0;
        }
        // 2^-16 of 2 million: 30.5 expected, standard deviation 5.5.
        assertThat(taken).isBetween(10, 55);
        assertThat(takenStrict).isLessThanOrEqualTo(1);
    }

    @Test
    void randomErrorsAreDetectedOverIpv6() {
        int length = TestPackets.send(b, 0, 64, random);
        for (int i = 0; i < ROUNDS; i++) {
            damage(length);
            assertThat(TestPackets.verifyV6(icrc, b, 0, length)).isFalse();
        }
    }

    /** Replaces the payload with 32 random bytes, and the CRC with a random one. */
    private void damage(int length) {
        for (int at = 16; at < 48; at += Long.BYTES) {
            b.putLong(at, random.nextLong());
        }
        b.putInt(length, random.nextInt());
    }

    private void flip(int bit) {
        b.put(bit / 8, (byte) (b.get(bit / 8) ^ 1 << bit % 8));
    }
}
