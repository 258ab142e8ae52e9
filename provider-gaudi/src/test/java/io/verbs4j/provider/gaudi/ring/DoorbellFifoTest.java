/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import static io.verbs4j.provider.gaudi.ring.PlainRings.QP;
import static io.verbs4j.provider.gaudi.ring.PlainRings.THRESHOLD;
import static io.verbs4j.provider.gaudi.ring.PlainRings.doorbell;
import static io.verbs4j.provider.gaudi.ring.PlainRings.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.SendBuilder;
import io.verbs4j.WorkCompletion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Doorbells that find no room in the FIFO. */
class DoorbellFifoTest {
    private static final int OTHER = 0x2f6;

    private final PlainRings rings = new PlainRings(128, 32, false);

    @BeforeEach
    void fill() {
        for (int i = 0; i < THRESHOLD; i++) {
            assertThat(rings.post(write(i))).isZero();
        }
        assertThat(rings.doorbell()).isEqualTo(doorbell(THRESHOLD));
        rings.forgetDoorbell();
    }

    @AfterEach
    void free() {
        rings.close();
    }

    private void poll() {
        assertThat(rings.poll(new WorkCompletion())).isZero();
    }

    @Test
    void fullFifoAcceptsPostsAndPollRingsLater() {
        assertThat(rings.post(write(1))).isZero();
        assertThat(rings.isEmpty(THRESHOLD)).as("it is written").isFalse();
        poll();
        rings.took(1); // not yet reported by its word
        poll();
        assertThat(rings.doorbell()).isZero();
        rings.took(2);
        poll();
        assertThat(rings.doorbell()).isEqualTo(doorbell(THRESHOLD + 1));
    }

    /** One doorbell covers all earlier requests, so there is room left. */
    @Test
    void onlyNewestIndexIsRung() {
        for (int i = 0; i < 5; i++) {
            assertThat(rings.post(write(i))).isZero();
        }
        rings.took(3);
        poll();
        assertThat(rings.doorbell()).isEqualTo(doorbell(THRESHOLD + 5));
        assertThat(rings.post(write(6))).isZero();
        assertThat(rings.doorbell()).isEqualTo(doorbell(THRESHOLD + 6));
        assertThat(rings.post(write(7))).isZero();
        assertThat(rings.doorbell()).as("full again").isEqualTo(doorbell(THRESHOLD + 6));
        rings.took(4);
        assertThat(rings.post(write(8))).isZero();
        assertThat(rings.doorbell()).isEqualTo(doorbell(THRESHOLD + 8));
    }

    @Test
    void postingFailsOnlyWhenRingIsFull() {
        for (int i = THRESHOLD; i < 127; i++) {
            assertThat(rings.post(write(i))).isZero();
        }
        assertThat(rings.post(write(0))).isEqualTo(Errno.ENOMEM);
        rings.took(2);
        poll();
        assertThat(rings.doorbell()).isEqualTo(doorbell(127));
    }

    @Test
    void builtRequestsWaitForFifoRoom() {
        SendBuilder b = rings.qp.builder();
        b.start();
        b.write(1, 0, PlainRings.REMOTE_KEY, PlainRings.THERE);
        b.write(2, 0, PlainRings.REMOTE_KEY, PlainRings.THERE);
        assertThat(b.complete()).isZero();
        assertThat(rings.doorbell()).isZero();
        rings.took(2);
        poll();
        assertThat(rings.doorbell()).isEqualTo(doorbell(THRESHOLD + 2));
    }

    /** Doorbells keep their order: none overtakes another. */
    @Test
    void owedDoorbellsRingBeforeLaterPosts() {
        rings.post(write(1));
        SendRing other = rings.another(OTHER);
        rings.took(2);
        assertThat(other.post(write(2), null)).isZero();
        assertThat(rings.doorbell()).isEqualTo(doorbell(QP, THRESHOLD + 1));
        rings.took(3);
        poll();
        assertThat(rings.doorbell()).isEqualTo(doorbell(OTHER, 1));
        rings.took(5);
        other.post(write(3), null);
        rings.post(write(4));
        assertThat(rings.doorbell()).as("no other doorbell is withheld").isEqualTo(doorbell(QP, THRESHOLD + 2));
    }

    /** The number may belong to another queue by then. */
    @Test
    void closedQueueDoesNotRing() {
        rings.post(write(1));
        rings.sends.close(Errno.EINVAL);
        rings.took(THRESHOLD);
        poll();
        assertThat(rings.doorbell()).isZero();
        rings.another(OTHER).post(write(2), null);
        assertThat(rings.doorbell()).isEqualTo(doorbell(OTHER, 1));
    }

    @Test
    void restoredQueueRingsWithheldDoorbell() {
        assertThat(rings.sends.withhold()).as("no doorbell is owed").isFalse();
        rings.post(write(1));
        assertThat(rings.sends.withhold()).isTrue();
        rings.took(THRESHOLD);
        poll();
        assertThat(rings.doorbell()).isZero();
        rings.sends.restore();
        assertThat(rings.doorbell()).isEqualTo(doorbell(THRESHOLD + 1));
    }

    @Test
    void renumberedQueueRingsByNewNumber() {
        rings.post(write(1));
        rings.sends.renumber(OTHER);
        rings.took(2);
        poll();
        assertThat(rings.doorbell()).isEqualTo(doorbell(OTHER, THRESHOLD + 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void withheldDoorbellKeepsOrderOfOthers(int which) {
        DoorbellFifo.Bell[] bells = {new DoorbellFifo.Bell(), new DoorbellFifo.Bell(), new DoorbellFifo.Bell()};
        for (int i = 0; i < 3; i++) {
            rings.fifo.ring(bells[i], 10 + i, 100 + i);
        }
        assertThat(rings.fifo.withhold(bells[which])).isTrue();
        assertThat(rings.fifo.withhold(bells[which])).isFalse();
        rings.fifo.ring(bells[which], 20, 200); // behind the others now
        int taken = 1;
        for (int i = 0; i < 3; i++) {
            if (i != which) {
                rings.took(++taken);
                rings.fifo.settle();
                assertThat(rings.doorbell()).isEqualTo(doorbell(10 + i, 100 + i));
            }
        }
        rings.took(++taken);
        rings.fifo.settle();
        assertThat(rings.doorbell()).isEqualTo(doorbell(20, 200));
        rings.took(THRESHOLD);
        rings.forgetDoorbell();
        rings.fifo.settle();
        assertThat(rings.doorbell()).as("no doorbell is owed").isZero();
    }

    /** Without a threshold, half of the FIFO is used; it is never filled so far that it would look empty. */
    @Test
    void thresholdLimitsFifoUse() {
        rings.took(0);
        for (int[] of : new int[][] {{0, 32}, {8, 1}, {512, 63}, {4096, 63}}) {
            DoorbellFifo fifo = new DoorbellFifo(rings.fifoRegister(), rings.fifoTaken(), 512, of[0], PlainRings.PORT);
            DoorbellFifo.Bell bell = new DoorbellFifo.Bell();
            for (int i = 1; i <= 100; i++) {
                fifo.ring(bell, 1, i);
            }
            assertThat(rings.doorbell()).as("threshold %s", of[0]).isEqualTo(doorbell(1, of[1]));
        }
    }

    @Test
    void takenCountWrapsAround() {
        for (int i = THRESHOLD; i < 300; i++) {
            rings.completes(i - THRESHOLD);
            assertThat(rings.poll(new WorkCompletion())).isOne();
            rings.took(i - THRESHOLD + 2);
            rings.forgetDoorbell();
            assertThat(rings.post(write(i))).isZero();
            assertThat(rings.doorbell()).isEqualTo(doorbell(i + 1 & 127));
            assertThat(rings.post(write(i))).isZero();
            assertThat(rings.doorbell()).as("full").isEqualTo(doorbell(i + 1 & 127));
            rings.sends.withhold();
            rings.completes(++i - THRESHOLD);
            assertThat(rings.poll(new WorkCompletion())).isOne();
            rings.took(i - THRESHOLD + 2);
            rings.sends.restore();
            assertThat(rings.doorbell()).isEqualTo(doorbell(i + 1 & 127));
        }
    }
}
