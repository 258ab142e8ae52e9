/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Treats a mailbox as one big number, of which each field is a slice. */
class MailboxRandomTest {
    private static final int BITS = 256;
    private static final int TRIES = 1000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void fieldIsSliceOfBigNumber(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < TRIES; i++) {
            byte[] bytes = new byte[BITS / 8];
            random.nextBytes(bytes);
            aFieldIsAPieceOfANumber(bytes, 1 + random.nextInt(64), random.nextInt(BITS), random.nextLong());
        }
    }

    private static void aFieldIsAPieceOfANumber(byte[] bytes, int width, int at, long anything) {
        int bit = Math.min(at, BITS - width);
        long value = anything & -1L >>> 64 - width;
        int shift = BITS - bit - width;
        BigInteger mask =
                BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE).shiftLeft(shift);
        BigInteger before = new BigInteger(1, bytes);
        Mailbox m = new Mailbox(bytes);
        assertThat(m.get(bit, width))
                .isEqualTo(before.and(mask).shiftRight(shift).longValue());
        BigInteger after = before.andNot(mask)
                .or(new BigInteger(1, new Mailbox(16).put(64, 64, value).toBytes()).shiftLeft(shift));
        assertThat(new BigInteger(1, m.put(bit, width, value).toBytes())).isEqualTo(after);
    }
}
