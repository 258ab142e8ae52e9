/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** A mailbox is one big number, and a field a piece of it. */
class MailboxProperties {
    private static final int BITS = 256;

    @Property
    void aFieldIsAPieceOfANumber(
            @ForAll @Size(BITS / 8) byte[] bytes,
            @ForAll @IntRange(min = 1, max = 64) int width,
            @ForAll @IntRange(max = BITS - 1) int at,
            @ForAll long anything) {
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
