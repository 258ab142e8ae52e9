/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import org.junit.jupiter.api.Test;

/** Queue pairs by number, while the device reuses numbers. */
class RingsTest {
    private static final int NUMBER = 0x107;

    private final Rings rings = new Rings();
    private final ReceiveRing first = new ReceiveRing(0, 1, 16, 0, 1, 1);
    private final ReceiveRing second = new ReceiveRing(0, 1, 16, 0, 1, 1);

    private Rings.Entry add(int number, ReceiveRing receives) {
        return rings.add(new Rings.Entry(number, new Object(), null, receives, null, null, null, null));
    }

    /** The device gives the number of a destroyed queue pair to another before the first is removed. */
    @Test
    void newQueuePairKeepsReusedNumberWhenOldOneGoes() {
        Rings.Entry old = add(NUMBER, first);
        Rings.Entry present = add(NUMBER, second);
        assertThat(rings.find(NUMBER).receives).as("the newest").isSameAs(second);
        rings.destroy(old, () -> {});
        assertThat(rings.find(NUMBER).receives).isSameAs(second);
        rings.destroy(present, () -> {});
        assertThat(rings.find(NUMBER)).isNull();
    }

    /** Also if the table grows in between and others share the bucket. */
    @Test
    void newestEntryStaysNewestWhenTableGrows() {
        add(NUMBER, first);
        add(NUMBER, second);
        Rings.Entry[] others = new Rings.Entry[5000];
        for (int i = 0; i < others.length; i++) {
            others[i] = add(0x10000 + i, first);
            assertThat(rings.find(NUMBER).receives).isSameAs(second);
        }
        for (Rings.Entry other : others) {
            rings.destroy(other, () -> {});
            assertThat(rings.find(NUMBER).receives).isSameAs(second);
            assertThat(rings.find(other.key())).isNull();
        }
        rings.destroy(new Rings.Entry(NUMBER, "nobody's", null, null, null, null, null, null), () -> {});
        assertThat(rings.find(NUMBER).receives).isSameAs(second);
    }

    @Test
    void queuePairStaysIfDestroyingFails() {
        Rings.Entry busy = add(NUMBER, first);
        VerbsException refusal = new VerbsException(Errno.EBUSY, "destroy_qp", "it is attached");
        assertThatThrownBy(() -> rings.destroy(busy, () -> {
                    assertThat(rings.find(NUMBER)).as("while it is destroyed").isNull();
                    throw refusal;
                }))
                .isSameAs(refusal);
        assertThat(rings.find(NUMBER).receives).isSameAs(first);
    }
}
