/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Converts time stamps to nanoseconds and compares with the same calculation in unbounded integers. */
class ClockInfoRandomTest {
    private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(64);
    private static final int TRIES = 1000;

    /** Returns a random number of at most {@code bits} bits; small and large numbers are equally likely. */
    private static long number(SplittableRandom random, int bits) {
        int of = random.nextInt(bits + 1);
        return of == 0 ? 0 : random.nextLong() >>> 64 - of;
    }

    private static long signed(SplittableRandom random, int bits) {
        return random.nextBoolean() ? number(random, bits) : -number(random, bits);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void toNanosConvertsForwardsAndBackwards(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < TRIES; i++) {
            forwardsAndBackwards(
                    signed(random, 64),
                    number(random, 63),
                    (int) Math.max(1, number(random, 30)),
                    random.nextInt(32),
                    signed(random, 32),
                    32 + random.nextInt(33));
        }
    }

    private static void forwardsAndBackwards(long nanos, long last, int mult, int shift, long cycles, int bits) {
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

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void lastCyclesConvertToLastNanos(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < TRIES; i++) {
            long nanos = signed(random, 64);
            long last = signed(random, 64);
            assertThat(new ClockInfo(nanos, last, 0, -1, random.nextInt(32), -1).toNanos(last))
                    .isEqualTo(nanos);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void timeDoesNotGoBack(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < TRIES; i++) {
            long a = number(random, 40);
            long b = number(random, 40);
            int mult = (int) Math.max(1, number(random, 20));
            ClockInfo info = new ClockInfo(0, 0, 0, mult, random.nextInt(21), -1);
            assertThat(info.toNanos(Math.min(a, b))).isLessThanOrEqualTo(info.toNanos(Math.max(a, b)));
        }
    }
}
