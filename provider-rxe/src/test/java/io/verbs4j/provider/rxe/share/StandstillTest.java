/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a receiver counts as standing still. */
class StandstillTest {
    private final Standstill standstill = new Standstill();

    @Test
    void receiverThatTakesNothingStandsStill() {
        assertThat(standstill.is(0, 100)).as("before there were records").isFalse();
        assertThat(standstill.is(0, 200)).isTrue();
        assertThat(standstill.is(0, 200)).isTrue();
    }

    @Test
    void receiverThatTakesSomeDoesNot() {
        standstill.is(0, 100);
        assertThat(standstill.is(8, 100)).isFalse();
        assertThat(standstill.is(16, 100)).isFalse();
        assertThat(standstill.is(16, 100)).isTrue();
    }

    @Test
    void receiverThatHasTakenAllDoesNot() {
        standstill.is(0, 100);
        standstill.is(100, 100);
        assertThat(standstill.is(100, 200)).isFalse();
    }

    @Test
    void oneLooksOnlyAfterManyRecordsAndSomeTime() throws InterruptedException {
        Thread.sleep(5); // longer than the interval
        int looks = 0;
        for (int i = 0; i < 15; i++) {
            looks += standstill.isTime() ? 1 : 0;
        }
        assertThat(looks).isZero();
        assertThat(standstill.isTime()).isTrue();
    }
}
