/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.testsupport.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread that checks deadlines: those that it sets itself, and an interrupt. */
@Timeout(Patience.TEST_SECONDS)
class WorkerDeadlineTest {
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LATER = TimeUnit.SECONDS.toNanos(100);
    private static final long PATIENCE = Patience.NANOS;

    /** So many that some are visited before the first, wherever it is among them. */
    private static final int OTHERS = 30;

    private final TestContext context = TestContext.open(this::nanos);
    private final ProtectionDomain pd = context.allocPd();
    private final CompletionQueue cq = context.createCq(1);
    private final List<QueuePair> qps = new ArrayList<>();

    /** Has no deadline left once the worker has served it, when the worker reads the clock; null before. */
    private volatile RxeQp first;

    /** Gets a deadline from the worker then, and whether it has been set. */
    private volatile RxeQp other;

    private volatile boolean set;

    private RxeQp create() {
        QueuePair qp = pd.createQp(new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(1).maxRecvWr(1).maxSendSge(1).maxRecvSge(1)));
        qps.add(qp);
        return ((RxeQueuePair) qp).qp;
    }

    @AfterEach
    void close() {
        qps.forEach(QueuePair::close);
        cq.close();
        pd.close();
        context.close();
    }

    /** The device's clock. Reading it is the only thing the worker does between two queue pairs. */
    private long nanos() {
        long now = System.nanoTime();
        RxeQp served = first;
        if (served != null && !set && isWorker(Thread.currentThread()) && served.deadline() == Long.MAX_VALUE) {
            set = true;
            other.wakeAt(context.port().now() + SOON);
        }
        return now;
    }

    private static boolean isWorker(Thread thread) {
        return thread.getName().endsWith("-worker");
    }

    private static void until(BooleanSupplier condition, String what) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @Test
    void deadlinesSetDuringScanAreKept() throws InterruptedException {
        RxeQp served = create();
        RxeQp late = create();
        late.wakeAt(context.port().now() + LATER); // otherwise it would soon check all of them again anyway
        for (int i = 0; i < OTHERS; i++) {
            other = create();
            served.wakeAt(context.port().now() + SOON);
            set = false;
            first = served;
            until(() -> set, "time until the worker serves the first queue pair");
            first = null;
            until(() -> other.deadline() == Long.MAX_VALUE, "time until the new deadline is served");
        }
    }

    /** Interrupting all threads of a program must not make it spin forever. */
    @Test
    void interruptDoesNotMakeWorkerSpin() throws InterruptedException {
        create().wakeAt(context.port().now() + LATER);
        List<Thread> threads = new ArrayList<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (isWorker(thread)) {
                threads.add(thread);
                thread.interrupt();
            }
        }
        assertThat(threads).isNotEmpty();
        until(() -> threads.stream().noneMatch(Thread::isInterrupted), "time until the threads wait again");
    }
}
