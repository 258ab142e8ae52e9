/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RemoteWindowsTest {
    @Test
    void agreesWithMap() {
        RemoteWindows windows = new RemoteWindows();
        Map<Long, RemoteWindow> map = new HashMap<>();
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            long id = random.nextInt(500) * 0x1_0000_0001L;
            RemoteWindow found = windows.find(id);
            assertThat(found).isSameAs(map.get(id));
            if (found == null) {
                map.put(id, windows.add(id));
            } else if (random.nextBoolean()) {
                windows.remove(found);
                map.remove(id);
            }
        }
    }

    @Test
    void boundsDoNotOverflow() {
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
