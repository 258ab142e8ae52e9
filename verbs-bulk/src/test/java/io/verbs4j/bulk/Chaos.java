/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.testsupport.Patience;
import java.util.function.BooleanSupplier;

/** Random transfers between both sides of a pair. */
final class Chaos {
    private final LossPair pair;
    private final ChaosSide a;
    private final ChaosSide b;
    private final long start = System.nanoTime();

    Chaos(LossPair pair, int count, long seed) {
        this.pair = pair;
        a = new ChaosSide(pair.a.endpoint, pair.a.ring, pair.a.peer, count, seed * 2);
        b = new ChaosSide(pair.b.endpoint, pair.b.ring, pair.b.peer, count, seed * 2 + 1);
        a.other = b;
        b.other = a;
    }

    boolean isDone() {
        return a.isDone() && b.isDone();
    }

    void step() {
        if (System.nanoTime() - start > Patience.NANOS) {
            throw new AssertionError("timed out; a: " + a + ", b: " + b);
        }
        a.step();
        b.step();
    }

    void until(BooleanSupplier holds) {
        while (!holds.getAsBoolean()) {
            step();
        }
    }

    /** Asserts that nothing has touched the memory of completed entries. */
    void assertCanaries() {
        for (int n = 0; n < 500; n++) {
            pair.turn();
        }
        a.assertCanaries();
        b.assertCanaries();
    }
}
