/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When a peer counts as gone, and when packets are sent again. */
class LivenessTest {
    private static final long START = Long.MAX_VALUE - 5;
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final Liveness liveness = new Liveness();

    @Test
    void peerThatAcknowledgesNothingIsDead() {
        liveness.start(START);
        liveness.waiting(true, START);
        liveness.heard(START + Liveness.DEAD - 1);
        assertThat(liveness.isDead(START + Liveness.DEAD - 1)).isFalse();
        assertThat(liveness.isDead(START + Liveness.DEAD)).isTrue();
    }

    @Test
    void peerWithNothingToAcknowledgeMayBeSilent() {
        liveness.start(START);
        liveness.waiting(true, START);
        liveness.waiting(false, START + 1);
        liveness.heard(START + Liveness.DEAD - 1);
        assertThat(liveness.isDead(START + Liveness.DEAD)).isFalse();
        assertThat(liveness.isDead(START + 2 * Liveness.DEAD)).isTrue();
    }

    /** The time before a packet is sent again doubles, and an acknowledgement resets it. */
    @Test
    void acknowledgementResetsRepetitionDelay() {
        liveness.start(START);
        liveness.waiting(true, START);
        assertThat(liveness.mustRepeat(START + 9 * MILLI)).isFalse();
        assertThat(liveness.mustRepeat(START + 10 * MILLI)).isTrue();
        assertThat(liveness.mustRepeat(START + 29 * MILLI)).isFalse();
        assertThat(liveness.mustRepeat(START + 30 * MILLI)).isTrue();
        liveness.acknowledged(START + 31 * MILLI);
        assertThat(liveness.mustRepeat(START + 40 * MILLI)).isFalse();
        assertThat(liveness.mustRepeat(START + 41 * MILLI)).isTrue();
    }
}
