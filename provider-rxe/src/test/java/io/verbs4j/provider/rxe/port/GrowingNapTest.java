/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GrowingNapTest {
    @Test
    void napsDoubleUpToMaximum() {
        GrowingNap naps = new GrowingNap(10, 50);
        assertThat(new long[] {naps.next(), naps.next(), naps.next(), naps.next(), naps.next()})
                .containsExactly(10, 20, 40, 50, 50);
    }

    @Test
    void anotherWaitBeginsWithShortest() {
        GrowingNap naps = new GrowingNap(10, 50);
        assertThat(new long[] {naps.next(3), naps.next(3), naps.next(4), naps.next(4), naps.next(4)})
                .containsExactly(10, 20, 10, 20, 40);
    }

    @Test
    void restartBeginsWithShortest() {
        GrowingNap naps = new GrowingNap(10, 50);
        naps.next();
        naps.next();
        naps.restart();
        assertThat(naps.next()).isEqualTo(10);
        assertThat(naps.next()).isEqualTo(20);
    }
}
