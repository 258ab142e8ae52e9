/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import static io.verbs4j.provider.gaudi.ring.PlainRings.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Polls that find nothing for a long time check whether queue pairs are broken. */
class DoubtTest {
    private final PlainRings rings = new PlainRings(16, 32, false);
    private final WorkCompletion wc = new WorkCompletion();
    private final WorkCompletion second = new WorkCompletion();

    @AfterEach
    void free() {
        rings.close();
    }

    private void post(int... ids) {
        for (int id : ids) {
            assertThat(rings.post(write(id))).isZero();
        }
    }

    private void idle(int polls) {
        for (int i = 0; i < polls; i++) {
            assertThat(rings.poll(wc)).isZero();
        }
    }

    @Test
    void longPendingQueuePairIsDoubted() {
        rings.cq.expect(rings.sends);
        idle(2 * CqRing.IDLE_POLLS);
        assertThat(rings.doubts).as("nothing is pending").isZero();
        post(1);
        idle(CqRing.IDLE_POLLS - 1);
        assertThat(rings.doubts).as("not yet").isZero();
        idle(1);
        assertThat(rings.doubts).isOne();
        idle(CqRing.IDLE_POLLS);
        assertThat(rings.doubts).isEqualTo(2);
        rings.completes(0);
        assertThat(rings.poll(wc)).isOne();
        idle(2 * CqRing.IDLE_POLLS);
        assertThat(rings.doubts).as("it is complete").isEqualTo(2);
        post(2);
        rings.cq.forget(rings.sends);
        idle(2 * CqRing.IDLE_POLLS);
        assertThat(rings.doubts).as("its completions no longer arrive here").isEqualTo(2);
    }

    /** A busy poller is not held up by checks. */
    @Test
    void successfulPollsDoNotDoubt() {
        rings.cq.expect(rings.sends);
        post(0);
        for (int i = 0; i < 2 * CqRing.IDLE_POLLS; i++) {
            post(i + 1);
            rings.took(i + 2);
            rings.completes(i);
            assertThat(rings.poll(wc)).isOne();
        }
        assertThat(rings.doubts).isZero();
    }

    @Test
    void queuePairsAreDoubtedInTurn() {
        int[] doubts = new int[3 * CqRing.DOUBTED];
        SendRing[] all = new SendRing[doubts.length];
        for (int i = 0; i < all.length; i++) {
            int at = i;
            all[i] = rings.another(100 + i, () -> doubts[at]++);
            rings.cq.expect(all[i]);
            if (i % 3 != 0) { // the others have nothing pending
                assertThat(all[i].post(write(i), null)).isZero();
            }
        }
        idle(CqRing.IDLE_POLLS);
        assertThat(IntStream.of(doubts).sum()).isEqualTo(CqRing.DOUBTED);
        idle(CqRing.IDLE_POLLS);
        for (int i = 0; i < all.length; i++) {
            assertThat(doubts[i]).as("queue pair %d", i).isEqualTo(i % 3 == 0 ? 0 : 1);
        }
        for (SendRing sends : all) {
            rings.cq.forget(sends);
        }
        idle(CqRing.IDLE_POLLS);
        assertThat(IntStream.of(doubts).sum()).isEqualTo(2 * CqRing.DOUBTED);
    }

    /** The check may flush the queue pair, which takes the lock. */
    @Test
    void doubtRunsWithoutLockAndNextPollFlushes() {
        SendRing[] broken = {null};
        broken[0] = rings.another(5, () -> {
            int taken = inAnotherThread(() -> rings.poll(second));
            assertThat(taken).as("a poll of another thread meanwhile").isZero();
            rings.cq.flush(broken[0], WcStatus.RETRY_EXC_ERR, 0x40);
        });
        rings.cq.expect(broken[0]);
        assertThat(broken[0].post(write(7), null)).isZero();
        idle(CqRing.IDLE_POLLS);
        assertThat(rings.poll(wc)).isOne();
        assertThat(wc.wrId()).isEqualTo(7);
        assertThat(wc.status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
    }

    private static int inAnotherThread(Callable<Integer> body) {
        FutureTask<Integer> task = new FutureTask<>(body);
        new Thread(task).start();
        try {
            return task.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void idleReadersDoubtQueuePair() {
        CqRingReader reader = new CqRingReader(rings.cq, () -> false);
        rings.cq.expect(rings.sends);
        post(1, 2);
        for (int i = 0; i < CqRing.IDLE_POLLS; i++) {
            assertThat(reader.startPoll(null)).isEqualTo(Errno.ENOENT);
        }
        assertThat(rings.doubts).isOne();
        for (int i = 0; i < CqRing.IDLE_POLLS; i++) {
            assertThat(reader.poll(1, new WorkCompletion[] {wc}, WorkCompletion.SIZE))
                    .isZero();
        }
        assertThat(rings.doubts).isEqualTo(2);
        rings.completes(0);
        assertThat(reader.startPoll(null)).isZero();
        assertThat(reader.endPoll()).isZero();
    }
}
