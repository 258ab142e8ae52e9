/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NativeAreasTest {
    @Test
    void areasAreReusedByOneHolderAtATime() {
        NativeAreas areas = new NativeAreas(64);
        long first = areas.take();
        areas.give(first);
        assertThat(areas.take()).isEqualTo(first);
        Set<Long> held = new HashSet<>(Set.of(first));
        for (int i = 0; i < 20; i++) {
            assertThat(held.add(areas.take())).isTrue();
        }
        held.forEach(areas::give);
        Set<Long> again = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            again.add(areas.take());
        }
        assertThat(again).hasSize(8);
        assertThat(held).containsAll(again);
        again.forEach(areas::give);
        areas.close();
    }
}
