/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.EventType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.queue.EventQueue;
import io.verbs4j.provider.rxe.queue.ReadyEvents;
import io.verbs4j.testsupport.Patience;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread of the device is killed: queue pairs that need it are notified, and later ones have another. */
@Tag("attack")
@Timeout(Patience.TEST_SECONDS)
class KilledThreadsTest {
    private static final int BYTES = 4096;
    private static final int POISONED_QPN = 0x7abcde;

    /** A queue pair that kills the thread that visits it, or makes it fail. */
    private static final class Poisoned extends RxeQp {
        private final boolean forWorker;
        private final AtomicInteger left = new AtomicInteger();

        @SuppressWarnings("removal")
        private final ThreadDeath end = new ThreadDeath();

        private final Error error;

        Poisoned(TestContext device, QpInitAttrEx attr, boolean forWorker, boolean kills) {
            super(attr, POISONED_QPN, device.port(), new ReadyEvents(new EventQueue<>("", "")));
            this.forWorker = forWorker;
            this.error = kills ? end : new StackOverflowError();
        }

        /** How many times from now on. */
        void poison(int times) {
            left.set(times);
        }

        private void hurt(boolean worker) {
            if (worker == forWorker && left.get() > 0) {
                left.decrementAndGet(); // only one thread is affected
                throw error;
            }
        }

        @Override
        public long deadline() {
            hurt(true);
            return Long.MAX_VALUE;
        }

        @Override
        public boolean isReceiving() {
            hurt(false);
            return false;
        }
    }

    private static Poisoned poisoned(TestContext device, ProtectionDomain pd, End like, boolean worker, boolean kills) {
        QpInitAttr attr = new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(like.cq)
                .recvCq(like.cq)
                .cap(new QpCap().maxSendWr(1).maxRecvWr(1).maxSendSge(1).maxRecvSge(1));
        Poisoned qp = new Poisoned(device, QpInitAttrEx.of(pd, attr), worker, kills);
        assertThat(device.port().add(qp)).isTrue();
        return qp;
    }

    @Test
    void deathOfWorkerFailsItsQueuePairs() {
        try (TestContext device = Way.PACKETS.device();
                ProtectionDomain pd = device.allocPd();
                End a = new End(device, pd, QpType.RC);
                End b = new End(device, pd, QpType.RC);
                MemoryRegion mr = a.register(ByteBuffer.allocateDirect(BYTES))) {
            End.connect(a, b);
            Poisoned poison = poisoned(device, pd, a, true, true);
            Set<Thread> before = deviceThreads();
            poison.poison(1);
            assertThat(a.event()).isEqualTo(EventType.QP_FATAL);
            a.awaitState(QpState.ERR);
            b.awaitState(QpState.ERR);
            device.port().remove(poison);
            awaitSuccessor(before);
            timersGoOn(device, pd, mr);
        }
    }

    @Test
    void deathOfReceiverFailsItsQueuePairs() {
        try (TestContext device = Way.PACKETS.device();
                ProtectionDomain pd = device.allocPd();
                End a = new End(device, pd, QpType.RC);
                End b = new End(device, pd, QpType.RC);
                MemoryRegion mr = a.register(ByteBuffer.allocateDirect(BYTES))) {
            a.toRts(device, POISONED_QPN);
            b.toRts(device, a.qp.qpNum());
            Set<Thread> before = deviceThreads();
            poisoned(device, pd, a, false, true).poison(1);
            a.post(End.request(WrOpcode.RDMA_WRITE, mr, mr, BYTES));
            assertThat(b.event()).isEqualTo(EventType.QP_FATAL);
            a.awaitState(QpState.ERR);
            b.awaitState(QpState.ERR);
            awaitSuccessor(before);
            timersGoOn(device, pd, mr);
        }
    }

    private static Set<Thread> deviceThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(t -> t.getName().contains("-receiver-") || t.getName().endsWith("-worker"))
                .collect(Collectors.toSet());
    }

    /** The successor starts once all have been notified: a queue pair created earlier may be notified as well. */
    private static void awaitSuccessor(Set<Thread> before) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (before.containsAll(deviceThreads())) {
            assertThat(System.nanoTime()).as("time until a successor starts").isLessThan(end);
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** An error not meant to kill a thread does not. */
    @Test
    void errorsDoNotKillThreads() {
        try (TestContext device = Way.PACKETS.device();
                ProtectionDomain pd = device.allocPd();
                End a = new End(device, pd, QpType.RC);
                End b = new End(device, pd, QpType.RC);
                MemoryRegion mr = a.register(ByteBuffer.allocateDirect(BYTES))) {
            End.connect(a, b);
            Poisoned poison = poisoned(device, pd, a, true, false);
            poison.poison(50);
            for (int turn = 0; poison.left.get() > 0; turn++) {
                Patience.pause(turn);
            }
            a.post(End.request(WrOpcode.RDMA_WRITE, mr, mr, BYTES));
            a.expect(WcStatus.SUCCESS);
            timersGoOn(device, pd, mr);
        }
    }

    private static void timersGoOn(TestContext device, ProtectionDomain pd, MemoryRegion mr) {
        try (End lonely = new End(device, pd, QpType.RC)) {
            lonely.toRts(device, 0x7ffff0);
            lonely.post(End.request(WrOpcode.RDMA_WRITE, mr, mr, BYTES));
            lonely.expect(WcStatus.RETRY_EXC_ERR);
        }
    }
}
