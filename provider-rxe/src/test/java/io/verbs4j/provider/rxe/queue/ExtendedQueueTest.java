/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.PollCqAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.clock.TickClock;
import io.verbs4j.testsupport.OwnThreads;
import io.verbs4j.testsupport.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Extended completion queues in isolation: the test pushes completions and controls the time. */
class ExtendedQueueTest {
    private static final long ALL = WcExFlags.STANDARD | WcExFlags.COMPLETION_TIMESTAMP;

    private final TestContext context = TestContext.open((String) null);
    private final QuietHost host = new QuietHost();
    private final RxeCompletionChannel channel = new RxeCompletionChannel(context, context.port());
    private int overruns;

    @AfterEach
    void close() {
        context.close();
    }

    private RxeCompletionQueueEx queue(int cqe, long wcFlags, boolean singleThreaded, boolean ignoreOverrun) {
        TickClock ticks = new TickClock(new TickClock.Rate(20, 156_250), () -> host.now);
        CqInitAttrEx attr = new CqInitAttrEx().cqe(cqe).wcFlags(wcFlags).channel(channel);
        boolean stamps = (wcFlags & WcExFlags.COMPLETION_TIMESTAMP) != 0;
        return new RxeCompletionQueueEx(
                context,
                attr,
                host,
                full -> overruns++,
                new CqOptions(stamps ? ticks : null, null, singleThreaded, false, ignoreOverrun));
    }

    private RxeCompletionQueueEx queue(int cqe) {
        return queue(cqe, ALL, false, false);
    }

    private static boolean push(RxeCompletionQueue cq, long wrId) {
        return cq.cq.push(new WorkCompletion().wrId(wrId).byteLen(5), ("owner " + wrId).intern(), false);
    }

    private static List<Long> poll(CompletionQueue cq) {
        WorkCompletion[] wc = {new WorkCompletion(), new WorkCompletion(), new WorkCompletion()};
        List<Long> ids = new ArrayList<>();
        int n = cq.poll(wc.length, wc);
        assertThat(n).isNotNegative();
        for (int i = 0; i < n; i++) {
            ids.add(wc[i].wrId());
        }
        return ids;
    }

    private static int errno(Runnable call) {
        VerbsException e = catchThrowableOfType(VerbsException.class, call::run);
        return e == null ? 0 : e.errno();
    }

    private static <T> T elsewhere(java.util.function.Supplier<T> call) {
        try {
            return OwnThreads.supply(call).get(Patience.SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    // ---- fields by size, and time

    @Test
    void fieldsBeyondCallersSizeAreOmitted() {
        RxeCompletionQueueEx cq = queue(8);
        host.now = 1_000_000;
        push(cq, 1);
        push(cq, 2);
        push(cq, 3);
        push(cq, 4);
        host.now = 5_000_000;
        WorkCompletion[] wc = {new WorkCompletion().completionTs(9)};
        assertThat(cq.poll(1, wc, -1)).isEqualTo(-Errno.EINVAL);
        assertThat(cq.poll(1, wc, 0)).isEqualTo(1);
        assertThat(wc[0].compMask()).isZero();
        assertThat(cq.poll(1, wc, 1)).isEqualTo(1);
        assertThat(wc[0].compMask()).isEqualTo(1);
        assertThat(wc[0].completionTs()).as("completion time in ticks").isEqualTo(156_250);
        assertThat(cq.poll(1, wc, WorkCompletion.SIZE)).isEqualTo(1);
        assertThat(wc[0].compMask()).isEqualTo(1);
        assertThat(cq.poll(1, wc, WorkCompletion.SIZE + 1)).isEqualTo(-Errno.EINVAL);
        assertThat(cq.poll(1, wc, WorkCompletion.SIZE)).isEqualTo(1);
        assertThat(wc[0].wrId()).isEqualTo(4);
        assertThat(cq.poll(1, wc, WorkCompletion.SIZE)).isZero();
    }

    @Test
    void queueWithoutTimestampsClearsThem() {
        RxeCompletionQueueEx cq = queue(8, WcExFlags.STANDARD, false, false);
        push(cq, 1);
        WorkCompletion[] wc = {new WorkCompletion().completionTs(9).completionWallclockNs(9)};
        assertThat(cq.poll(1, wc, WorkCompletion.SIZE)).isEqualTo(1);
        assertThat(wc[0].compMask()).isZero();
        assertThat(wc[0].completionTs()).isZero();
    }

    @Test
    void reusedEntriesHaveNewTimestamps() {
        RxeCompletionQueueEx cq = queue(1);
        WorkCompletion[] wc = {new WorkCompletion()};
        WorkCompletion failed = new WorkCompletion().status(WcStatus.WR_FLUSH_ERR);
        for (int i = 0; i < 5; i++) {
            host.now = 64L * i;
            push(cq, i);
            assertThat(cq.poll(1, wc, 2)).isEqualTo(1);
            assertThat(wc[0].completionTs()).isEqualTo(10L * i);
            cq.cq.push(failed, this, false);
            assertThat(cq.poll(1, wc, 2)).isEqualTo(1);
            assertThat(wc[0].compMask()).isZero();
        }
    }

    @Test
    void pollWithoutSizeClearsExtendedFields() {
        WorkCompletion[] wc = {new WorkCompletion()};
        RxeCompletionQueueEx cq = queue(8);
        push(cq, 1);
        push(cq, 2);
        assertThat(cq.poll(1, wc, WorkCompletion.SIZE)).isEqualTo(1);
        assertThat(wc[0].compMask()).isEqualTo(1);
        assertThat(cq.poll(1, wc)).isEqualTo(1);
        assertThat(wc[0].wrId()).isEqualTo(2);
        assertThat(wc[0].compMask()).isZero();
        assertThat(wc[0].completionTs()).isZero();
    }

    // ---- reading one by one

    @Test
    void entriesAreReleasedByEndPoll() {
        RxeCompletionQueueEx cq = queue(3);
        assertThat(cq.startPoll(null)).isEqualTo(Errno.ENOENT);
        push(cq, 1);
        push(cq, 2);
        assertThat(cq.startPoll(new PollCqAttr())).isZero();
        assertThat(cq.wrId()).isEqualTo(1);
        assertThat(cq.readByteLen()).isEqualTo(5);
        assertThat(push(cq, 3)).isTrue();
        assertThat(cq.nextPoll()).isZero();
        assertThat(cq.wrId()).isEqualTo(2);
        assertThat(cq.nextPoll()).isZero();
        assertThat(cq.nextPoll()).isEqualTo(Errno.ENOENT);
        assertThat(errno(cq::wrId)).isEqualTo(Errno.EINVAL);
        assertThat(cq.endPoll()).isZero();
        for (int i = 4; i <= 6; i++) {
            assertThat(push(cq, i)).isTrue();
        }
        assertThat(overruns).isZero();
        assertThat(cq.startPoll(null)).isZero();
        assertThat(push(cq, 7))
                .as("push while a completion being read takes up room")
                .isFalse();
        assertThat(overruns).isEqualTo(1);
        assertThat(cq.wrId()).isEqualTo(4);
        assertThat(cq.endPoll()).isZero();
        assertThat(poll(cq)).containsExactly(5L, 6L);
        assertThat(cq.startPoll(null)).isEqualTo(Errno.EOVERFLOW);
    }

    @Test
    void readingWithoutStartPollFails() {
        RxeCompletionQueueEx cq = queue(4);
        push(cq, 1);
        assertThat(cq.nextPoll()).isEqualTo(Errno.EINVAL);
        assertThat(cq.endPoll()).isEqualTo(Errno.EINVAL);
        List<Consumer<CompletionQueue>> readers = List.of(
                CompletionQueue::wrId,
                CompletionQueue::status,
                CompletionQueue::readOpcode,
                CompletionQueue::readVendorErr,
                CompletionQueue::readByteLen,
                CompletionQueue::readImmData,
                CompletionQueue::readInvalidatedRkey,
                CompletionQueue::readQpNum,
                CompletionQueue::readSrcQp,
                CompletionQueue::readWcFlags,
                CompletionQueue::readSlid,
                CompletionQueue::readSl,
                CompletionQueue::readDlidPathBits,
                CompletionQueue::readCompletionTs,
                CompletionQueue::readCompletionWallclockNs);
        readers.forEach(r -> assertThat(errno(() -> r.accept(cq))).isEqualTo(Errno.EINVAL));
        PollCqAttr unknown = new PollCqAttr();
        unknown.masks(1, 0);
        assertThat(cq.startPoll(unknown)).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(poll(cq)).containsExactly(1L);
    }

    @Test
    void unrequestedFieldsAreRefused() {
        RxeCompletionQueueEx cq = queue(4, WcExFlags.QP_NUM, false, false);
        push(cq, 1);
        assertThat(cq.startPoll(null)).isZero();
        assertThat(cq.readQpNum()).isZero();
        assertThat(cq.readWcFlags()).isZero();
        assertThat(errno(cq::readByteLen)).isEqualTo(Errno.EINVAL);
        assertThat(errno(cq::readImmData)).isEqualTo(Errno.EINVAL);
        assertThat(errno(cq::readCompletionTs)).isEqualTo(Errno.EINVAL);
        assertThat(errno(cq::readCompletionWallclockNs)).isEqualTo(Errno.EINVAL);
        assertThat(cq.endPoll()).isZero();
    }

    @Test
    void readerIsNotDisturbed() {
        RxeCompletionQueueEx cq = queue(4);
        push(cq, 1);
        push(cq, 2);
        push(cq, 3);
        assertThat(cq.startPoll(null)).isZero();
        assertThat(cq.startPoll(null)).isEqualTo(Errno.EBUSY);
        assertThat(cq.poll(1, new WorkCompletion[] {new WorkCompletion()})).isEqualTo(-Errno.EBUSY);
        assertThat(errno(() -> cq.cq.changeSize(9))).isEqualTo(Errno.EBUSY);
        assertThat(errno(cq.cq::destroy)).isEqualTo(Errno.EBUSY);
        assertThat(elsewhere(() -> errno(cq.cq::destroy))).isEqualTo(Errno.EBUSY);
        assertThat(elsewhere(cq::endPoll)).isEqualTo(Errno.EINVAL);
        assertThat(elsewhere(cq::nextPoll)).isEqualTo(Errno.EINVAL);
        assertThat(elsewhere(() -> errno(cq::wrId))).isEqualTo(Errno.EINVAL);
        cq.cq.purge("owner 1");
        cq.cq.purge("owner 2");
        assertThat(cq.wrId()).isEqualTo(1);
        assertThat(cq.nextPoll()).isZero();
        assertThat(cq.wrId()).isEqualTo(3);
        assertThat(cq.endPoll()).isZero();
        assertThat(poll(cq)).isEmpty();
        cq.cq.changeSize(9);
        cq.cq.destroy();
        assertThat(cq.startPoll(null)).isEqualTo(Errno.EINVAL);
    }

    /** A full queue drops its oldest completion before it adds the new one. */
    @Test
    void readerGetsBusyWhileCompletionsAreDropped() throws InterruptedException {
        RxeCompletionQueueEx cq = queue(1, ALL, false, true);
        push(cq, 0);
        assertThat(cq.startPoll(null)).isZero();
        AtomicBoolean done = new AtomicBoolean();
        Thread adding = new Thread(() -> {
            while (!done.get()) {
                push(cq, 1);
            }
        });
        adding.start();
        WorkCompletion[] wc = {new WorkCompletion()};
        int others = 0;
        for (int i = 0; i < 3_000_000; i++) {
            others += cq.poll(1, wc) == -Errno.EBUSY ? 0 : 1;
        }
        done.set(true);
        adding.join();
        assertThat(others).as("polls that did not get EBUSY").isZero();
        assertThat(cq.endPoll()).isZero();
    }

    @Test
    void otherThreadsWaitForReader() throws InterruptedException, ExecutionException, TimeoutException {
        RxeCompletionQueueEx cq = queue(4);
        push(cq, 1);
        push(cq, 2);
        push(cq, 3);
        assertThat(cq.startPoll(null)).isZero();
        CompletableFuture<List<Long>> other = OwnThreads.supply(() -> poll(cq));
        CompletableFuture<Integer> starts = OwnThreads.supply(() -> {
            int error = cq.startPoll(null);
            return error == 0 ? cq.endPoll() : error;
        });
        Thread.sleep(50);
        assertThat(other.isDone()).isFalse();
        assertThat(starts.isDone()).isFalse();
        assertThat(cq.endPoll()).isZero();
        starts.get(Patience.SECONDS, TimeUnit.SECONDS);
        assertThat(other.get(Patience.SECONDS, TimeUnit.SECONDS))
                .startsWith(other.get().size() == 2 ? 2L : 3L);
    }

    @Test
    void waitForReaderIsLimited() {
        RxeCompletionQueueEx cq = queue(4);
        push(cq, 1);
        push(cq, 2);
        assertThat(cq.startPoll(null)).isZero();
        WorkCompletion[] wc = {new WorkCompletion()};
        List<CompletableFuture<Integer>> others = List.of(
                OwnThreads.supply(() -> cq.poll(1, wc)),
                OwnThreads.supply(() -> cq.poll(1, wc, 2)),
                OwnThreads.supply(() -> -cq.startPoll(null)));
        assertThat(others)
                .allSatisfy(other -> assertThat(other.get(Patience.SECONDS, TimeUnit.SECONDS))
                        .isEqualTo(-Errno.EBUSY));
        assertThat(cq.endPoll()).isZero();
        assertThat(poll(cq)).containsExactly(2L);
    }

    /** Two threads, each of which reads a queue and wants that of the other. */
    @Test
    void crossedReadersGetBusy() {
        List<RxeCompletionQueueEx> queues = List.of(queue(4), queue(4));
        queues.forEach(cq -> push(cq, 1));
        CyclicBarrier both = new CyclicBarrier(2);
        List<CompletableFuture<Integer>> answers = List.of(0, 1).stream()
                .map(i -> OwnThreads.supply(() -> crosswise(queues.get(i), queues.get(1 - i), both)))
                .toList();
        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.get(Patience.SECONDS, TimeUnit.SECONDS))
                        .isEqualTo(Errno.EBUSY));
        queues.forEach(cq -> assertThat(poll(cq)).isEmpty());
    }

    private static int crosswise(CompletionQueue own, CompletionQueue other, CyclicBarrier both) {
        assertThat(own.startPoll(null)).isZero();
        try {
            both.await(Patience.SECONDS, TimeUnit.SECONDS);
            int answer = other.startPoll(null);
            both.await(Patience.SECONDS, TimeUnit.SECONDS);
            return answer;
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new AssertionError(e);
        } finally {
            own.endPoll();
        }
    }

    @Test
    void deadReaderReleasesItsEntries() throws InterruptedException {
        RxeCompletionQueueEx cq = queue(2);
        push(cq, 1);
        push(cq, 2);
        Thread dies = new Thread(() -> cq.startPoll(null));
        dies.start();
        dies.join();
        assertThat(poll(cq)).containsExactly(2L);
        push(cq, 3);
        push(cq, 4);
        assertThat(overruns).isZero();
        Thread next = new Thread(() -> cq.startPoll(null));
        next.start();
        next.join();
        cq.cq.destroy();
    }

    @Test
    void singleThreadedQueueIgnoresThreads() {
        RxeCompletionQueueEx cq = queue(4, ALL, true, false);
        push(cq, 1);
        push(cq, 2);
        assertThat(elsewhere(() -> cq.startPoll(null))).isZero();
        assertThat(cq.wrId()).isEqualTo(1);
        assertThat(cq.startPoll(null)).isEqualTo(Errno.EBUSY);
        assertThat(cq.nextPoll()).isZero();
        assertThat(cq.endPoll()).isZero();
        assertThat(cq.endPoll()).isEqualTo(Errno.EINVAL);
        assertThat(poll(cq)).isEmpty();
    }

    @Test
    void addingDoesNotWaitForReader() throws InterruptedException {
        RxeCompletionQueueEx cq = queue(100, ALL, false, true);
        push(cq, 0);
        assertThat(cq.startPoll(null)).isZero();
        CountDownLatch added = new CountDownLatch(1);
        new Thread(() -> {
                    for (int i = 1; i < 1000; i++) {
                        push(cq, i);
                    }
                    added.countDown();
                })
                .start();
        assertThat(added.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(cq.wrId()).isZero();
        assertThat(cq.nextPoll()).isZero();
        assertThat(cq.wrId()).isEqualTo(900);
        assertThat(cq.endPoll()).isZero();
    }

    // ---- overrun

    @Test
    void overrunOverwritesOldest() {
        RxeCompletionQueueEx cq = queue(3, ALL, false, true);
        for (int i = 1; i <= 8; i++) {
            assertThat(push(cq, i)).isTrue();
        }
        assertThat(overruns).isZero();
        assertThat(poll(cq)).containsExactly(6L, 7L, 8L);
        push(cq, 9);
        assertThat(poll(cq)).containsExactly(9L);
        assertThat(poll(cq)).isEmpty();
    }
}
