/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a thread that polls in vain yields, with times that the test makes. */
class FruitlessPollsTest {
    private static final long POLL = 100;

    private final FruitlessPolls polls = new FruitlessPolls() {
        @Override
        long nanos() {
            return now;
        }
    };
    private long now = -5_000;

    /** Polls in vain until it yields; returns how often. */
    private int untilYield() {
        for (int n = 1; ; n++) {
            now += POLL;
            if (polls.add()) {
                return n;
            }
            assertThat(n).isLessThan(100_000);
        }
    }

    private void yields(long cost) {
        polls.yielded(now, now + cost);
        now += cost;
    }

    private void costly(int times) {
        for (int i = 0; i < times; i++) {
            untilYield();
            yields(FruitlessPolls.SLICE);
        }
    }

    @Test
    void firstYieldComesAfterManyPolls() {
        assertThat(untilYield()).isEqualTo(FruitlessPolls.PATIENCE);
    }

    @Test
    void cheapYieldsFollowEachPoll() {
        untilYield();
        for (int i = 0; i < 10; i++) {
            yields(FruitlessPolls.SLICE - 1);
            assertThat(untilYield()).isEqualTo(1);
        }
    }

    @Test
    void packetMakesThreadPatientAgain() {
        untilYield();
        yields(1);
        polls.end();
        assertThat(untilYield()).isEqualTo(FruitlessPolls.PATIENCE);
    }

    @Test
    void fewCostlyYieldsChangeNothing() {
        costly(FruitlessPolls.COSTLY - 1);
        assertThat(untilYield()).isEqualTo(1);
    }

    @Test
    void costlyYieldsInRowMakeThreadPollOn() {
        costly(FruitlessPolls.COSTLY);
        assertThat(untilYield()).isEqualTo((int) (FruitlessPolls.POLLS_ON / POLL));
        yields(FruitlessPolls.SLICE);
        assertThat(untilYield()).isEqualTo((int) (FruitlessPolls.POLLS_ON / POLL));
    }

    @Test
    void costlyYieldsWithCheapOneBetweenChangeNothing() {
        costly(FruitlessPolls.COSTLY - 1);
        untilYield();
        yields(1);
        costly(FruitlessPolls.COSTLY - 1);
        assertThat(untilYield()).isEqualTo(1);
    }

    @Test
    void cheapYieldEndsPollingOn() {
        costly(FruitlessPolls.COSTLY);
        untilYield();
        yields(1);
        assertThat(untilYield()).isEqualTo(1);
    }

    /** The polls before the first yield count, but not the time before them. */
    @Test
    void pollingOnBeginsWithLastPatientPoll() {
        costly(FruitlessPolls.COSTLY);
        polls.end();
        now += FruitlessPolls.POLLS_ON;
        assertThat(untilYield()).isEqualTo((int) (FruitlessPolls.POLLS_ON / POLL) + FruitlessPolls.PATIENCE - 1);
    }

    /** Otherwise two peers on one processor would each take the other's polls for a time slice. */
    @Test
    void pollingOnIsNoTimeSlice() {
        assertThat(FruitlessPolls.POLLS_ON).isLessThan(FruitlessPolls.SLICE / 2);
    }
}
