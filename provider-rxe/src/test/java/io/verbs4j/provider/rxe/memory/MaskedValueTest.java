/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Masked atomics against their definition, bit by bit. */
class MaskedValueTest {
    private static final int ROUNDS = 1_000_000;

    private final SplittableRandom random = new SplittableRandom(7);

    /** Computed bit by bit: the carry out of a bit is dropped if the bit is the top of a field. */
    private static long sum(long a, long b, long tops, int bits) {
        long sum = 0;
        int carry = 0;
        for (int i = 0; i < bits; i++) {
            int digit = (int) (a >>> i & 1) + (int) (b >>> i & 1) + carry;
            sum |= (long) (digit & 1) << i;
            carry = (tops >>> i & 1) != 0 ? 0 : digit >>> 1;
        }
        return sum;
    }

    private static long swapped(long old, long compare, long compareMask, long swap, long swapMask, int bits) {
        long result = 0;
        for (int i = 0; i < bits; i++) {
            if ((compareMask >>> i & 1) != 0 && (old >>> i & 1) != (compare >>> i & 1)) {
                return old & -1L >>> Long.SIZE - bits;
            }
            result |= ((swapMask >>> i & 1) != 0 ? swap >>> i & 1 : old >>> i & 1) << i;
        }
        return result;
    }

    /** About one bit in eight. */
    private long few() {
        long bits = random.nextLong();
        bits &= random.nextLong();
        bits &= random.nextLong();
        return bits;
    }

    /** Few bits, many bits, all or none, to cover fields and edges of each size. */
    private long operand() {
        return switch (random.nextInt(6)) {
            case 0 -> few();
            case 1 -> ~few();
            case 2 -> 0;
            case 3 -> -1;
            case 4 -> 1L << random.nextInt(Long.SIZE);
            default -> random.nextLong();
        };
    }

    @Test
    void addMatchesDefinition() {
        for (int i = 0; i < ROUNDS; i++) {
            long a = operand();
            long b = operand();
            long tops = operand();
            long made = MaskedValue.add(a, b, tops);
            if (made != sum(a, b, tops, Long.SIZE) || (int) made != (int) sum(a, b, tops, Integer.SIZE)) {
                assertThat(made).as("%x + %x, tops %x", a, b, tops).isEqualTo(sum(a, b, tops, Long.SIZE));
                throw new AssertionError("lower half of " + a + " + " + b + ", tops " + tops);
            }
        }
    }

    @Test
    void compareAndSwapMatchesDefinition() {
        int swaps = 0;
        for (int i = 0; i < ROUNDS; i++) {
            long old = operand();
            long compareMask = operand();
            long compare = random.nextInt(3) == 0 ? operand() : old ^ operand() & ~compareMask;
            long swap = operand();
            long swapMask = operand();
            long made = MaskedValue.compareAndSwap(old, compare, compareMask, swap, swapMask);
            assertThat(made).isEqualTo(swapped(old, compare, compareMask, swap, swapMask, Long.SIZE));
            swaps += made == old ? 0 : 1;
            // With 4 bytes, whatever the upper halves of the operands are.
            long lower = Integer.toUnsignedLong((int) old);
            long narrow = MaskedValue.compareAndSwap(
                    lower, compare & 0xffff_ffffL, compareMask & 0xffff_ffffL, swap, swapMask);
            assertThat((int) narrow).isEqualTo((int) swapped(old, compare, compareMask, swap, swapMask, Integer.SIZE));
        }
        assertThat(swaps).isBetween(ROUNDS / 4, ROUNDS - ROUNDS / 10);
    }

    @Test
    void simpleCasesAreCorrect() {
        assertThat(MaskedValue.add(5, 7, 0)).isEqualTo(12);
        assertThat(MaskedValue.add(5, 7, -1)).as("no carries: exclusive or").isEqualTo(5 ^ 7);
        assertThat(MaskedValue.add(0xff, 0x01, 0x80)).as("a byte wraps around").isZero();
        assertThat(MaskedValue.compareAndSwap(1, 2, 0, 3, -1))
                .as("empty compare mask")
                .isEqualTo(3);
        assertThat(MaskedValue.compareAndSwap(1, 2, -1, 3, -1)).isEqualTo(1);
    }
}
