/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.link.PipeFabric;
import io.verbs4j.provider.rxe.link.TxBatch;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Opcode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Up to which time all arrived packets are known to have been received. */
class ReceiverTest {
    private static final int BURST = 64;

    private final PipeFabric fabric = new PipeFabric();
    private final Link here = fabric.open(Gid.of(1, 1));
    private final Link there = fabric.open(Gid.of(1, 2));
    private final TxBatch batch = there.newBatch();
    private final PortLinks.Receiver receiver =
            new PortLinks(null, null, null).new Receiver(here, null, 0, "not started");

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    private void send(int packets) {
        for (int i = 0; i < packets; i++) {
            int at = batch.begin(1, 1, Bth.LENGTH);
            Bth.write(batch.buffer(), at, Opcode.UC_SEND_ONLY, false, false, 0, Bth.DEFAULT_PKEY, 1, false, i);
            batch.end(Bth.LENGTH);
        }
        batch.flush();
    }

    private long seenAfterBurst(long began) {
        here.poll(packet -> {}, BURST);
        receiver.taken(began);
        return receiver.seen.get();
    }

    @Test
    void emptyQueueIsDrainedNow() {
        assertThat(seenAfterBurst(10)).isEqualTo(10);
        send(BURST - 1);
        assertThat(seenAfterBurst(20)).isEqualTo(20);
    }

    @Test
    void longQueueIsNotDrainedYet() {
        seenAfterBurst(10);
        send(3 * BURST);
        assertThat(seenAfterBurst(20)).isEqualTo(10);
        assertThat(seenAfterBurst(30)).isEqualTo(10);
        assertThat(seenAfterBurst(40)).isEqualTo(10);
        assertThat(seenAfterBurst(50)).isEqualTo(50);
    }

    @Test
    void neverEmptyQueueAdvancesAfterItsCapacity() {
        long seen = 0;
        for (int i = 1; i <= 10_000; i++) {
            send(BURST);
            long now = seenAfterBurst(i);
            assertThat(here.isDrained()).isFalse();
            assertThat(now).as("last processed burst").isLessThan(i);
            if (now != seen) {
                assertThat(i - now).as("bursts").isGreaterThanOrEqualTo(256);
                seen = now;
            }
        }
        assertThat(seen).isGreaterThan(9_000);
    }
}
