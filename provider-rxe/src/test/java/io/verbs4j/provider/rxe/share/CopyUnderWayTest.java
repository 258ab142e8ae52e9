/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.testsupport.OwnThreads;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Memory is taken back while the receiver copies out of it: it is waited for, but not for ever, and what was copied is no good. */
@Tag("attack")
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
class CopyUnderWayTest {
    private static final int BYTES = 10_000;

    /** A machine with other things to do may have the copy wait longer than who takes back does: then it is tried again. */
    private static final int TRIES = 50;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
    private TwoAddresses two;
    private RingWriter ring;

    /** Copies of spans that were begun; each waits until it may end. */
    private final AtomicInteger copies = new AtomicInteger();

    private volatile CountDownLatch began;
    private volatile CountDownLatch mayEnd = new CountDownLatch(0);

    /** System calls that take their time where they copy a span: it has two pieces on this side, what else is read has one. */
    private final class SlowKernel implements Kernel {
        private final Kernel calls;

        SlowKernel(Kernel calls) {
            this.calls = calls;
        }

        @Override
        public long readProcess(int pid, long local, long localCount, long remote, long remoteCount) {
            long result = calls.readProcess(pid, local, localCount, remote, remoteCount);
            if (localCount == 2) {
                copies.incrementAndGet();
                began.countDown();
                try {
                    mayEnd.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            return result;
        }

        @Override
        public int memfd(long name, int flags) {
            return calls.memfd(name, flags);
        }

        @Override
        public int open(long name, int flags) {
            return calls.open(name, flags);
        }

        @Override
        public int fcntl(int fd, int command, long argument) {
            return calls.fcntl(fd, command, argument);
        }

        @Override
        public int madvise(long address, long bytes, int advice) {
            return calls.madvise(address, bytes, advice);
        }

        @Override
        public long pread(int fd, long buffer, long count, long offset) {
            return calls.pread(fd, buffer, count, offset);
        }

        @Override
        public long pwrite(int fd, long buffer, long count, long offset) {
            return calls.pwrite(fd, buffer, count, offset);
        }

        @Override
        public int close(int fd) {
            return calls.close(fd);
        }

        @Override
        public int errno() {
            return calls.errno();
        }
    }

    @BeforeEach
    void open() throws IOException {
        two = new TwoAddresses(SlowKernel::new);
        ring = two.connect().ring();
        assertThat(ring).isNotNull();
    }

    @AfterEach
    void close() {
        two.close();
    }

    /** Lends memory, and has the receiver begin to copy; what it has taken in by then is told when it goes on. */
    private CompletableFuture<byte[]> beginCopy() throws InterruptedException {
        began = new CountDownLatch(1);
        mayEnd = new CountDownLatch(1);
        TwoAddresses.span(ring, NativeMemory.address(memory), BYTES);
        CompletableFuture<byte[]> taken = OwnThreads.supply(() -> {
            assertThat(two.poll(1)).isEqualTo(1);
            return two.payloads.get(two.payloads.size() - 1);
        });
        began.await();
        return taken;
    }

    private long epoch() {
        return NativeMemory.getLongVolatile(NativeMemory.address(ring.buffer()) + RingLayout.EPOCH);
    }

    /** Whether the copy had ended when something returned that takes memory back. */
    private boolean isWaitedFor(Runnable takeBack) throws Exception {
        long before = epoch();
        CompletableFuture<byte[]> taken = beginCopy();
        CompletableFuture<Boolean> waited = OwnThreads.supply(() -> {
            takeBack.run();
            return mayEnd.getCount() == 0;
        });
        for (int turn = 0; epoch() == before; turn++) {
            Patience.pause(turn);
        }
        Thread.sleep(5); // who does not wait is gone by now
        mayEnd.countDown();
        assertThat(taken.get())
                .as("what was copied of memory that was taken back")
                .isNull();
        return waited.get();
    }

    @Test
    void whoTakesBackWaitsUntilTheCopyHasEnded() throws Exception {
        boolean waited = false;
        for (int i = 0; i < TRIES && !waited; i++) {
            waited = isWaitedFor(() -> ring.recall(ring.spanEnd()));
        }
        assertThat(waited).isTrue();
    }

    @Test
    void soDoesWhoEndsTheRingThoughTheReceiverHasEndedIt() throws Exception {
        boolean waited = false;
        for (int i = 0; i < TRIES && !waited; i++) {
            RingWriter mine = ring;
            OneCopy receiver = two.receiver;
            waited = isWaitedFor(() -> {
                receiver.close();
                mine.close();
            });
            assertThat(mine.isClosed()).isTrue();
            two.receiver = two.open(two.to);
            two.connect(); // finds that the one of before is gone
            Channel channel = two.connect();
            ring = channel.ring();
        }
        assertThat(waited).isTrue();
    }

    /** Keys forget rings that are closed: as long as one's memory may be read, it is none of those. */
    @Test
    void aRingIsNotClosedBeforeTheCopyHasEnded() throws Exception {
        boolean open = false;
        for (int i = 0; i < TRIES && !open; i++) {
            RingWriter mine = ring;
            boolean[] during = {false};
            long before = epoch();
            CompletableFuture<byte[]> taken = beginCopy();
            CompletableFuture<Void> closed = OwnThreads.run(mine::close);
            while (epoch() == before) {
                Thread.onSpinWait();
            }
            during[0] = !mine.isClosed();
            mayEnd.countDown();
            assertThat(taken.get()).isNull();
            closed.get();
            assertThat(mine.isClosed()).isTrue();
            assertThat(mine.beginSpan()).isEqualTo(-1);
            open = during[0];
            two.connect();
            ring = two.connect().ring();
        }
        assertThat(open).isTrue();
    }

    @Test
    void aCopyThatDoesNotEndIsNotWaitedForAndIsNoGood() throws Exception {
        CompletableFuture<byte[]> taken = beginCopy();
        ring.recall(ring.spanEnd()); // comes back though nobody lets the copy end
        assertThat(taken).isNotDone();
        mayEnd.countDown();
        assertThat(taken.get()).isNull();
        TwoAddresses.span(ring, NativeMemory.address(memory), BYTES);
        assertThat(two.poll(1)).isEqualTo(1);
        assertThat(two.payloads.get(1)).hasSize(BYTES);
    }

    @Test
    void memoryThatIsTakenBackBeforeIsNotLookedAt() {
        began = new CountDownLatch(1);
        TwoAddresses.span(ring, NativeMemory.address(memory), BYTES);
        ring.recall(ring.spanEnd());
        assertThat(two.poll(1)).isEqualTo(1);
        assertThat(two.payloads.get(0)).isNull();
        assertThat(copies).hasValue(0);
    }
}
