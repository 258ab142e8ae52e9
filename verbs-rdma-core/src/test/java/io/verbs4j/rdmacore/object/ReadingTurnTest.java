/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The turn of reading. Other threads act in the gaps of a wait, so the order of steps is fixed. */
@Full
class ReadingTurnTest {
    private static final long PATIENCE_NANOS = Patience.NANOS;

    private final long begun = System.nanoTime();
    private final AtomicInteger ends = new AtomicInteger();
    private int gaps;
    private IntConsumer meanwhile = round -> {
        throw new AssertionError("waits");
    };
    private final ReadingTurn turn = new ReadingTurn(
            round -> {
                assertThat(round).as("rounds so far").isEqualTo(gaps++);
                assertThat(System.nanoTime() - begun).as("waits forever").isLessThan(PATIENCE_NANOS);
                meanwhile.accept(round);
            },
            ends::incrementAndGet,
            false);

    /** Starts to read in a thread that then waits until it is released. */
    private final class Reader implements AutoCloseable {
        private final CountDownLatch release = new CountDownLatch(1);
        private final Thread thread = new Thread(this::run, "the reader");
        private final CountDownLatch begun = new CountDownLatch(1);

        Reader() throws InterruptedException {
            thread.start();
            begun.await();
        }

        private void run() {
            turn.start();
            begun.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            release.countDown();
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void assertBusy(ThrowingCallable call, String who) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY))
                .hasMessageContaining("resize_cq")
                .hasMessageContaining(who + " is reading completions of the queue; it must call endPoll first");
    }

    @Test
    void readerDoesNotWaitForItself() {
        assertThat(turn.isMine()).isFalse();
        assertThat(turn.mayStart()).isTrue();
        turn.start();
        assertThat(turn.isMine()).isTrue();
        assertThat(turn.isFree()).isFalse();
        assertThat(turn.mayStart()).isFalse();
        assertThat(turn.await(true)).isFalse();
        assertThat(turn.await(false)).isFalse();
        assertBusy(() -> turn.requireUnread("resize_cq"), "this thread");
        assertBusy(() -> turn.hold("resize_cq"), "this thread");
        assertThat(ends).hasValue(0);
        turn.end();
        assertThat(ends).hasValue(1);
        assertThat(turn.isMine()).isFalse();
        assertThat(turn.mayStart()).as("nothing is held").isTrue();
        turn.requireUnread("resize_cq");
    }

    @Test
    void othersWaitUntilReadingEnds() throws InterruptedException {
        try (Reader reader = new Reader()) {
            assertThat(turn.isMine()).isFalse();
            assertThat(turn.isFree()).isFalse();
            meanwhile = round -> {
                if (round == 3) {
                    turn.end();
                }
            };
            assertThat(turn.await(true)).isTrue();
            assertThat(gaps).isEqualTo(4);
            assertThat(reader.thread.isAlive()).isTrue();
        }
        assertThat(ends).hasValue(1);
    }

    @Test
    void changingQueueTimesOut() throws InterruptedException {
        try (Reader reader = new Reader()) {
            meanwhile = round -> {};
            long since = System.nanoTime();
            assertBusy(() -> turn.requireUnread("resize_cq"), "thread the reader");
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since)).isBetween(1_000L, 20_000L);
            gaps = 0;
            assertBusy(() -> turn.hold("resize_cq"), "thread the reader");
            assertThat(reader.thread.isAlive()).isTrue();
            turn.end();
            assertThat(turn.mayStart())
                    .as("a holder that gave up holds nothing")
                    .isTrue();
        }
    }

    @Test
    void pollingTimesOut() throws InterruptedException {
        try (Reader reader = new Reader()) {
            meanwhile = round -> {};
            assertThat(turn.await(false)).isFalse();
            gaps = 0;
            assertThat(turn.await(true)).isFalse();
            assertThat(reader.thread.isAlive()).isTrue();
            assertThat(ends).hasValue(0);
        }
    }

    /** No thread waits: the gap of this turn would fail the test. */
    @Test
    void singleThreadedQueueBelongsToNextCaller() throws InterruptedException {
        ReadingTurn one = new ReadingTurn(round -> fail("waits"), ends::incrementAndGet, true);
        assertThat(one.isMine()).isFalse();
        Thread starts = new Thread(one::start);
        starts.start();
        starts.join();
        assertThat(one.isMine()).isTrue();
        assertThat(one.isFree())
                .as("its thread has ended, so another may start")
                .isFalse();
        assertThat(one.await(true)).isFalse();
        assertThatThrownBy(() -> one.requireUnread("resize_cq")).isInstanceOf(VerbsException.class);
        one.end();
        assertThat(one.isMine()).isFalse();
        assertThat(one.mayStart()).isTrue();
        assertThat(ends).hasValue(1);
    }

    /** Otherwise readers that follow each other would keep it waiting. */
    @Test
    void waitingChangeBlocksNewReaders() throws InterruptedException {
        try (Reader reader = new Reader()) {
            meanwhile = round -> {
                assertThat(turn.mayStart()).isFalse();
                if (round == 2) {
                    turn.end();
                    assertThat(turn.isFree()).isTrue();
                    assertThat(turn.mayStart())
                            .as("the other thread has the turn")
                            .isFalse();
                }
            };
            turn.requireUnread("resize_cq");
            assertThat(gaps).isEqualTo(3);
            assertThat(turn.mayStart()).isTrue();
            assertThat(reader.thread.isAlive()).isTrue();
        }
    }

    @Test
    void heldTurnAllowsPollsButNoReaders() {
        turn.hold("modify_qp");
        turn.hold("modify_qp");
        assertThat(turn.isFree()).isTrue();
        assertThat(turn.mayStart()).isFalse();
        assertThat(turn.await(false)).isTrue();
        turn.release();
        assertThat(turn.mayStart()).isFalse();
        meanwhile = round -> {
            if (round == 1) {
                turn.release();
            }
        };
        assertThat(turn.await(true)).isTrue();
        assertThat(gaps).isEqualTo(2);
        assertThat(turn.mayStart()).isTrue();
    }

    @Test
    void deadReaderFreesTurn() throws InterruptedException {
        new Reader().close();
        assertThat(turn.isFree()).isTrue();
        assertThat(ends).hasValue(1);
        new Reader().close();
        assertThat(turn.mayStart()).isTrue();
        assertThat(ends).hasValue(2);
        new Reader().close();
        assertThat(turn.await(true)).isTrue();
        new Reader().close();
        turn.requireUnread("resize_cq");
        assertThat(ends).hasValue(4);
        assertThat(turn.isFree()).isTrue();
        assertThat(ends).as("ended once").hasValue(4);
    }

    @Test
    void readerDyingDuringWaitEndsWait() throws InterruptedException {
        Reader reader = new Reader();
        meanwhile = round -> {
            if (round == 1) {
                reader.close();
            }
        };
        assertThat(turn.await(false)).isTrue();
        assertThat(gaps).isEqualTo(2);
        assertThat(ends).hasValue(1);
    }
}
