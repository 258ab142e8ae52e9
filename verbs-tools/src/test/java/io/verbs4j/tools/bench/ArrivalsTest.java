/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tracking of messages that arrive in any order, and of the places that they are sent from. */
class ArrivalsTest {
    private static final int WINDOW = 7;

    @Test
    void arrivalsMayComeInAnyOrder() {
        Arrivals arrivals = new Arrivals(WINDOW);
        for (long sequence : new long[] {2, 0, 6, 1}) {
            arrivals.note(sequence);
        }
        assertThat(arrivals.next()).isEqualTo(3);
        for (long sequence : new long[] {5, 9, 4, 3}) {
            arrivals.note(sequence);
        }
        assertThat(arrivals.next()).isEqualTo(7);
        arrivals.note(13); // the last of the window
        assertThat(arrivals.next()).isEqualTo(7);
    }

    @Test
    void arrivalsAreTrackedOverManyWindows() {
        Arrivals arrivals = new Arrivals(WINDOW);
        Random random = new Random(5);
        for (long round = 0; round < 100; round++) {
            List<Long> some = new ArrayList<>();
            for (int i = 0; i < WINDOW; i++) {
                some.add(round * WINDOW + i);
            }
            Collections.shuffle(some, random);
            some.forEach(arrivals::note);
            assertThat(arrivals.next()).isEqualTo((round + 1) * WINDOW);
        }
    }

    @Test
    void duplicateOrTooEarlyMessageFails() {
        Arrivals arrivals = new Arrivals(WINDOW);
        arrivals.note(0);
        arrivals.note(3);
        assertThatThrownBy(() -> arrivals.note(0)).hasMessageContaining("message 0 arrived twice");
        assertThatThrownBy(() -> arrivals.note(3)).hasMessageContaining("message 3 arrived twice");
        assertThatThrownBy(() -> arrivals.note(8)).hasMessageContaining("message 8 arrived, and message 1 is missing");
        arrivals.note(7);
    }

    @Test
    void placesAreReusedInOrderOfReturn() {
        Places places = new Places(3);
        assertThat(new int[] {places.take(), places.take(), places.take()}).containsExactly(0, 1, 2);
        assertThat(places.any()).isFalse();
        assertThatThrownBy(places::take).isInstanceOf(IllegalStateException.class);
        places.giveBack(2);
        places.giveBack(0);
        assertThat(places.taken()).isEqualTo(1);
        assertThat(new int[] {places.take(), places.take()}).containsExactly(2, 0);
        for (int place = 0; place < 3; place++) {
            places.giveBack(place);
        }
        assertThatThrownBy(() -> places.giveBack(1)).isInstanceOf(IllegalStateException.class);
    }
}
