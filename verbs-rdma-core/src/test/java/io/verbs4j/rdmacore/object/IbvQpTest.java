/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.call.CallBack;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.layout.ContextLayout;
import io.verbs4j.rdmacore.layout.RecvWrLayout;
import io.verbs4j.rdmacore.layout.SendWrLayout;
import io.verbs4j.rdmacore.layout.SgeLayout;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.quirk.Quirks;
import io.verbs4j.testsupport.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that post to one queue pair by test driver functions, which check their arguments. */
@Timeout(Patience.TEST_SECONDS)
class IbvQpTest {
    private static final int THREADS = 3;
    private static final int POSTS = 2_000;
    private static final int LIST = 3;
    private static final int DEPTH = 4;

    private final long context = NativeMemory.allocate(1024);
    private final long struct = NativeMemory.allocate(1024);
    private final AtomicInteger sending = new AtomicInteger();
    private final AtomicInteger receiving = new AtomicInteger();
    private final AtomicInteger posted = new AtomicInteger();
    private final AtomicReference<String> wrong = new AtomicReference<>();
    private final CallBack sends = new CallBack((qp, wr, bad, d, e, f) -> {
        begin(sending, "a post of sends");
        look(wr, SendWrLayout.WR_ID, SendWrLayout.SG_LIST, SendWrLayout.NEXT);
        return end(sending);
    });
    private final CallBack receives = new CallBack((qp, wr, bad, d, e, f) -> {
        begin(receiving, "a post of receives");
        look(wr, RecvWrLayout.WR_ID, RecvWrLayout.SG_LIST, RecvWrLayout.NEXT);
        return end(receiving);
    });
    private volatile Runnable meanwhile = () -> {};
    private IbvQp qp;

    @BeforeEach
    void driver() {
        NativeMemory.putLong(context + ContextLayout.OPS_POST_SEND, sends.address());
        NativeMemory.putLong(context + ContextLayout.OPS_POST_RECV, receives.address());
        QpInitAttrEx attr = new QpInitAttrEx();
        attr.qpType(QpType.RC);
        attr.cap().maxSendWr(DEPTH);
        attr.cap().maxSendSge(1);
        attr.cap().maxRecvWr(DEPTH);
        attr.cap().maxRecvSge(1);
        ContextFunctions functions = new ContextFunctions(context);
        qp = new IbvQp(
                attr, QpCreateSendOps.SEND, struct, functions, Quirks.NONE, new RegionTable(), new WindowBook(false));
        qp.change(QpState.RTS, () -> {});
    }

    @AfterEach
    void free() {
        NativeMemory.free(context);
        NativeMemory.free(struct);
    }

    private void begin(AtomicInteger inside, String what) {
        if (inside.getAndIncrement() != 0) {
            wrong.compareAndSet(null, what + " began while another thread was there");
        }
    }

    private long end(AtomicInteger inside) {
        posted.incrementAndGet();
        inside.decrementAndGet();
        return 0;
    }

    /** Checks that all requests of a list are from one thread and in order, each with its own element. */
    private void look(long first, int wrId, int list, int next) {
        long expected = NativeMemory.getLong(first + wrId);
        int n = 0;
        for (long wr = first; wr != 0; wr = NativeMemory.getLong(wr + next)) {
            long id = NativeMemory.getLong(wr + wrId);
            long addr = NativeMemory.getLong(NativeMemory.getLong(wr + list) + SgeLayout.ADDR);
            if (id != expected || addr != id) {
                wrong.compareAndSet(null, "id " + id + ", address " + addr + " where " + expected + " was due");
            }
            expected++;
            n++;
        }
        meanwhile.run();
        if (n != LIST) {
            wrong.compareAndSet(null, "a list of " + n);
        }
    }

    private static ScatterGatherElement[] element(long addr) {
        return new ScatterGatherElement[] {new ScatterGatherElement().addr(addr).length(8)};
    }

    private static SendWorkRequest sendList(long from) {
        SendWorkRequest next = null;
        for (long id = from + LIST - 1; id >= from; id--) {
            next = new SendWorkRequest()
                    .wrId(id)
                    .opcode(WrOpcode.SEND)
                    .sgList(element(id))
                    .next(next);
        }
        return next;
    }

    private static RecvWorkRequest receiveList(long from) {
        RecvWorkRequest next = null;
        for (long id = from + LIST - 1; id >= from; id--) {
            next = new RecvWorkRequest().wrId(id).sgList(element(id)).next(next);
        }
        return next;
    }

    private void inThreads(int count, Callable<Void> body) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Future<Void>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(threads.submit(body));
            }
            for (Future<Void> one : all) {
                one.get(Patience.SECONDS, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(wrong.get()).isNull();
    }

    @Test
    void threadsPostSendsOneListAtATime() throws Exception {
        threadsPost(from -> qp.postSend(sendList(from), null));
    }

    @Test
    void threadsPostReceivesOneListAtATime() throws Exception {
        threadsPost(from -> qp.postRecv(receiveList(from), null));
    }

    private void threadsPost(LongToIntFunction post) throws Exception {
        inThreads(THREADS, () -> {
            long tag = Thread.currentThread().getId() << 32;
            for (int i = 0; i < POSTS; i++) {
                assertThat(post.applyAsInt(tag + i)).isZero();
            }
            return null;
        });
        assertThat(posted).hasValue(THREADS * POSTS);
    }

    @Test
    void resetWaitsForPostOfSends() throws Exception {
        aResetWaitsFor(sending, () -> qp.postSend(sendList(0), null));
    }

    @Test
    void resetWaitsForPostOfReceives() throws Exception {
        aResetWaitsFor(receiving, () -> qp.postRecv(receiveList(0), null));
    }

    private void aResetWaitsFor(AtomicInteger inside, Callable<Integer> post) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean resetting = new AtomicBoolean();
        meanwhile = () -> {
            begun.countDown();
            while (!resetting.get()) {
                Thread.onSpinWait();
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50)); // time for the reset if it did not wait
        };
        AtomicInteger role = new AtomicInteger();
        inThreads(2, () -> {
            if (role.getAndIncrement() == 0) {
                assertThat(post.call()).isZero();
                return null;
            }
            begun.await();
            resetting.set(true);
            qp.change(
                    QpState.RESET,
                    () -> assertThat(inside).as("threads inside a post").hasValue(0));
            assertThat(qp.postSend(sendList(0), null)).as("a send in RESET").isEqualTo(Errno.EINVAL);
            assertThat(qp.postRecv(receiveList(0), null))
                    .as("a receive in RESET")
                    .isEqualTo(Errno.EINVAL);
            return null;
        });
        assertThat(posted).hasValue(1);
    }
}
