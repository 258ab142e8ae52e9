/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Time stamps as nanoseconds, against the same in integers without bounds. */
class ClockInfoProperties {
    private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(64);

    @Property
    void forwardsAndBackwards(
            @ForAll long nanos,
            @ForAll @LongRange(min = 0) long last,
            @ForAll @IntRange(min = 1, max = 0x3fffffff) int mult,
            @ForAll @IntRange(max = 31) int shift,
            @ForAll @LongRange(min = -0xffffffffL, max = 0xffffffffL) long cycles,
            @ForAll @IntRange(min = 32, max = 64) int bits) {
        long mask = bits == 64 ? -1 : (1L << bits) - 1;
        long half = mask >>> 1;
        long delta = bits == 32 ? cycles / 4 : cycles; // within half the range
        long frac = (1L << shift) - 1;
        ClockInfo info = new ClockInfo(nanos, last & mask, frac, mult, shift, mask);
        BigInteger moved = BigInteger.valueOf(Math.abs(delta)).multiply(BigInteger.valueOf(mult));
        BigInteger expected = BigInteger.valueOf(nanos);
        if (delta >= 0) {
            expected = expected.add(moved.add(BigInteger.valueOf(frac)).shiftRight(shift));
        } else {
            expected = expected.subtract(
                    moved.subtract(BigInteger.valueOf(frac)).mod(MODULUS).shiftRight(shift));
        }
        assertThat(Long.compareUnsigned(Math.abs(delta), half)).isNotPositive();
        assertThat(info.toNanos(last + delta & mask)).isEqualTo(expected.longValue());
    }

    @Property
    void theMomentItselfIsItsTime(@ForAll long nanos, @ForAll long last, @ForAll @IntRange(max = 31) int shift) {
        assertThat(new ClockInfo(nanos, last, 0, -1, shift, -1).toNanos(last)).isEqualTo(nanos);
    }

    @Property
    void timeDoesNotGoBack(
            @ForAll @LongRange(min = 0, max = 1L << 40) long a,
            @ForAll @LongRange(min = 0, max = 1L << 40) long b,
            @ForAll @IntRange(min = 1, max = 1 << 20) int mult,
            @ForAll @IntRange(max = 20) int shift) {
        ClockInfo info = new ClockInfo(0, 0, 0, mult, shift, -1);
        assertThat(info.toNanos(Math.min(a, b))).isLessThanOrEqualTo(info.toNanos(Math.max(a, b)));
    }
}
