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

/**
 * Memory is reclaimed while the receiver copies from it: the reclaim waits, but not forever, and the copied data is
 * discarded.
 */
@Tag("attack")
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
class CopyUnderWayTest {
    private static final int BYTES = 10_000;

    /** On a busy machine the copy may be delayed longer than the reclaim: then the test tries again. */
    private static final int TRIES = 50;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
    private TwoAddresses two;
    private RingWriter ring;

    /** Counts the started copies of spans; each waits until it may end. */
    private final AtomicInteger copies = new AtomicInteger();

    private volatile CountDownLatch began;
    private volatile CountDownLatch mayEnd = new CountDownLatch(0);

    /** Slow system calls when copying a span, which has two pieces on this side; other reads have one. */
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

    /** Lends memory and makes the receiver start copying; the result completes when the copy continues. */
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

    /** Whether the copy had ended when a call that reclaims memory returned. */
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
        Thread.sleep(5); // a call that does not wait has returned by now
        mayEnd.countDown();
        assertThat(taken.get()).as("copy of revoked memory").isNull();
        return waited.get();
    }

    @Test
    void recallWaitsForCopy() throws Exception {
        boolean waited = false;
        for (int i = 0; i < TRIES && !waited; i++) {
            waited = isWaitedFor(() -> ring.recall(ring.spanEnd()));
        }
        assertThat(waited).isTrue();
    }

    @Test
    void closeWaitsForCopyAfterReceiverClosed() throws Exception {
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
            two.connect(); // notices that the previous one is gone
            Channel channel = two.connect();
            ring = channel.ring();
        }
        assertThat(waited).isTrue();
    }

    /** Keys forget closed rings, so a ring whose memory may still be read is not closed. */
    @Test
    void ringStaysOpenUntilCopyEnds() throws Exception {
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
    void endlessCopyIsAbandonedAndDiscarded() throws Exception {
        CompletableFuture<byte[]> taken = beginCopy();
        ring.recall(ring.spanEnd()); // returns although the copy has not ended
        assertThat(taken).isNotDone();
        mayEnd.countDown();
        assertThat(taken.get()).isNull();
        TwoAddresses.span(ring, NativeMemory.address(memory), BYTES);
        assertThat(two.poll(1)).isEqualTo(1);
        assertThat(two.payloads.get(1)).hasSize(BYTES);
    }

    @Test
    void recalledMemoryIsNotRead() {
        began = new CountDownLatch(1);
        TwoAddresses.span(ring, NativeMemory.address(memory), BYTES);
        ring.recall(ring.spanEnd());
        assertThat(two.poll(1)).isEqualTo(1);
        assertThat(two.payloads.get(0)).isNull();
        assertThat(copies).hasValue(0);
    }
}
