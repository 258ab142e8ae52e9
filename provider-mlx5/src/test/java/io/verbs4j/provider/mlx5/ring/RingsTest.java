/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Queue pairs by number, while the device gives numbers out anew. */
class RingsTest {
    private static final int NUMBER = 0x107;

    private final Rings rings = new Rings();
    private final ReceiveRing first = new ReceiveRing(0, 1, 16, 0, 1, 1);
    private final ReceiveRing second = new ReceiveRing(0, 1, 16, 0, 1, 1);

    /** The device has given the number of one that is gone to another, before the first is taken out. */
    @Test
    void theOneThatGotTheNumberStaysWhenTheOtherGoes() {
        Object old = new Object();
        Object present = new Object();
        rings.add(NUMBER, old, null, first, null);
        rings.add(NUMBER, present, null, second, null);
        assertThat(rings.find(NUMBER).receives).as("the newest").isSameAs(second);
        rings.remove(NUMBER, old);
        assertThat(rings.find(NUMBER).receives).isSameAs(second);
        rings.remove(NUMBER, present);
        assertThat(rings.find(NUMBER)).isNull();
    }

    /** Also when the table grows in between, and others share the bucket. */
    @Test
    void theNewestStaysTheNewestInATableThatGrows() {
        rings.add(NUMBER, "old", null, first, null);
        rings.add(NUMBER, "present", null, second, null);
        for (int i = 0; i < 5000; i++) {
            rings.add(0x10000 + i, "other", null, first, null);
            assertThat(rings.find(NUMBER).receives).isSameAs(second);
        }
        for (int i = 0; i < 5000; i++) {
            rings.remove(0x10000 + i, "other");
            assertThat(rings.find(NUMBER).receives).isSameAs(second);
            assertThat(rings.find(0x10000 + i)).isNull();
        }
        rings.remove(NUMBER, "nobody's");
        assertThat(rings.find(NUMBER).receives).isSameAs(second);
    }
}
