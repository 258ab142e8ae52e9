/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PsnMathTest {
    private static final int HALF = 1 << 23;
    private static final int ROUNDS = 1_000_000;

    private final SplittableRandom random = new SplittableRandom(24);

    @Test
    void psnWrapsAround() {
        assertThat(PsnMath.next(PsnMath.MAX)).isZero();
        assertThat(PsnMath.add(PsnMath.MAX, 2)).isOne();
        assertThat(PsnMath.add(0, -1)).isEqualTo(PsnMath.MAX);
        assertThat(PsnMath.diff(0, PsnMath.MAX)).isOne();
        assertThat(PsnMath.diff(PsnMath.MAX, 0)).isEqualTo(-1);
        assertThat(PsnMath.diff(HALF - 1, 0)).isEqualTo(HALF - 1);
        assertThat(PsnMath.diff(HALF, 0)).isEqualTo(-HALF);
    }

    /** Addition and subtraction are inverse, and the order is that of the distance. */
    @Test
    void arithmeticLawsHold() {
        for (int i = 0; i < ROUNDS; i++) {
            int psn = random.nextInt(1 << 24);
            int steps = random.nextInt(-HALF, HALF);
            int other = PsnMath.add(psn, steps);
            check(other >= 0 && other <= PsnMath.MAX, psn, steps);
            check(PsnMath.diff(other, psn) == steps, psn, steps);
            check(Integer.signum(PsnMath.compare(other, psn)) == Integer.signum(steps), psn, steps);
            check(PsnMath.add(other, -steps) == psn, psn, steps);
            check(steps == -HALF || PsnMath.diff(psn, other) == -steps, psn, steps);
            check(PsnMath.next(psn) == PsnMath.add(psn, 1), psn, steps);
        }
    }

    @Test
    void upperByteIsIgnored() {
        for (int i = 0; i < ROUNDS; i++) {
            int a = random.nextInt();
            int b = random.nextInt();
            check(PsnMath.diff(a, b) == PsnMath.diff(a & PsnMath.MAX, b & PsnMath.MAX), a, b);
            check(PsnMath.add(a, b) == PsnMath.add(a & PsnMath.MAX, b), a, b);
        }
    }

    private static void check(boolean holds, int a, int b) {
        if (!holds) {
            throw new AssertionError("for " + a + " and " + b);
        }
    }
}
