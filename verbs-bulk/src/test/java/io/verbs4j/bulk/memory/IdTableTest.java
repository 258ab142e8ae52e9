/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class IdTableTest {
    @Test
    void tableAgreesWithMap() {
        IdTable<RemoteWindow> windows = new IdTable<>();
        Map<Long, RemoteWindow> map = new HashMap<>();
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            long id = random.nextInt(500) * 0x1_0000_0001L;
            RemoteWindow found = windows.find(id);
            assertThat(found).isSameAs(map.get(id));
            if (found == null) {
                RemoteWindow window = new RemoteWindow(id);
                windows.add(window);
                map.put(id, window);
            } else if (random.nextBoolean()) {
                assertThat(windows.remove(found)).isTrue();
                assertThat(windows.remove(found)).isFalse();
                map.remove(id);
            }
        }
        assertThat(windows.all()).containsExactlyInAnyOrderElementsOf(map.values());
    }

    @Test
    void intSetAgreesWithTreeSet() {
        IntSet numbers = new IntSet();
        TreeSet<Integer> set = new TreeSet<>();
        Random random = new Random(2);
        for (int i = 0; i < 5_000; i++) {
            int number = random.nextInt(60);
            if (random.nextBoolean()) {
                numbers.add(number);
                set.add(number);
            } else {
                assertThat(numbers.remove(number)).isEqualTo(set.remove(number));
            }
            assertThat(numbers.isEmpty()).isEqualTo(set.isEmpty());
        }
        assertThat(numbers.all()).containsExactly(set.toArray(Integer[]::new));
    }

    @Test
    void windowBoundsDoNotOverflow() {
        RemoteWindow window = new RemoteWindow(1);
        window.answer(100, 0, 0, RemoteWindow.WRITE);
        assertThat(window.contains(0, 100)).isTrue();
        assertThat(window.contains(100, 0)).isTrue();
        assertThat(window.contains(1, 100)).isFalse();
        assertThat(window.contains(-1, 1)).isFalse();
        assertThat(window.contains(Long.MAX_VALUE, Long.MAX_VALUE)).isFalse();
        assertThat(window.contains(101, 0)).isFalse();
        assertThat(window.contains(0, -1)).isFalse();
    }
}
