/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Request numbers: each belongs to one request at a time, and all are returned. */
class RequestIdsTest {
    @Test
    void numbersComeBackInAnyOrder() {
        for (int most : new int[] {1, 2, 10, 16, 1000}) {
            RequestIds ids = new RequestIds(most, false);
            Random random = new Random(most);
            Map<Integer, Long> away = new HashMap<>();
            for (int i = 0; i < 100_000; i++) {
                assertThat(ids.isFull()).isEqualTo(away.size() == most);
                assertThat(ids.room()).isEqualTo(most - away.size());
                if (!away.isEmpty() && (away.size() == most || random.nextInt(3) == 0)) {
                    List<Integer> numbers = new ArrayList<>(away.keySet());
                    int number = numbers.get(random.nextInt(numbers.size()));
                    assertThat(ids.complete(number)).isEqualTo(away.remove(number));
                } else {
                    long wrId = random.nextLong();
                    int number = (int) ids.take(wrId);
                    assertThat(ids.isOne(number)).isTrue();
                    assertThat(away.put(number, wrId))
                            .as("whose number %s is", number)
                            .isNull();
                }
            }
        }
    }

    @Test
    void numbersOutOfRangeAreRejected() {
        RequestIds ids = new RequestIds(10, false);
        assertThat(ids.isOne(9)).isTrue();
        assertThat(ids.isOne(10)).isFalse();
        assertThat(ids.isOne(0xffff)).isFalse();
    }

    @Test
    void wideIdsAreTheProgramsOwn() {
        RequestIds ids = new RequestIds(2, true);
        assertThat(ids.take(-5)).isEqualTo(-5);
        assertThat(ids.take(7)).isEqualTo(7);
        assertThat(ids.isFull()).isTrue();
        ids.complete();
        assertThat(ids.room()).isEqualTo(1);
    }

    @Test
    void resetFreesAllNumbers() {
        RequestIds ids = new RequestIds(3, false);
        ids.take(1);
        ids.complete((int) ids.take(2));
        ids.take(3);
        ids.reset();
        assertThat(ids.room()).isEqualTo(3);
        assertThat(List.of(ids.take(1), ids.take(2), ids.take(3))).containsExactlyInAnyOrder(0L, 1L, 2L);
        assertThat(ids.isFull()).isTrue();
    }
}
