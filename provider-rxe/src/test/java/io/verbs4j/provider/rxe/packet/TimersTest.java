/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.Opcode;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What counts as time spent waiting for an acknowledgement. The test owns the time: it passes only in {@link #pass} and
 * {@link #pause}.
 */
class TimersTest {
    private static final int PSN = 100;
    private static final int SHORTEST = 12; // 16.8 ms
    private static final int MEDIUM = 15;
    private static final long MEDIUM_MILLIS = 134;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    private final AtomicLong nanos = new AtomicLong(1_000_000_000);
    private final ScriptedPeer peer = new ScriptedPeer();
    private final Subject subject = new Subject(TestContext.open(nanos::get), QpType.RC, 4096);

    private void start(int timeout, int retryCnt) {
        subject.timeout = timeout;
        subject.retryCnt = retryCnt;
        subject.connect(peer.gid(), ScriptedPeer.QPN, PSN, 200);
        peer.connect(subject.gid(), subject.qp.qpNum());
    }

    @AfterEach
    void close() {
        subject.close();
        peer.close();
    }

    /** Passes time in which the device's threads run, as the device sees it. */
    private void pass(long millis) {
        long until = subject.context.port().now() + TimeUnit.MILLISECONDS.toNanos(millis);
        long end = System.nanoTime() + PATIENCE;
        while (subject.context.port().now() < until) {
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
            LockSupport.parkNanos(500_000);
            assertThat(System.nanoTime())
                    .as("time until the device's clock advances")
                    .isLessThan(end);
        }
    }

    /** Passes time in which none of them runs; they run for a moment afterwards. */
    private void pause(long seconds) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
        pass(1);
    }

    private long timeouts() {
        return subject.counters().get(TransportCounters.TIMEOUT);
    }

    @Test
    void pauseIsNotTakenForLoss() {
        start(MEDIUM, 0);
        subject.post(WrOpcode.SEND, 1, 0, 10);
        peer.next(Opcode.RC_SEND_ONLY, PSN);
        for (int i = 0; i < 10; i++) {
            pause(3600);
        }
        pass(MEDIUM_MILLIS / 2); // of which the peer needs this much
        assertThat(timeouts()).isZero();
        peer.ack(PSN);
        subject.next(1, WcStatus.SUCCESS);
    }

    @Test
    void lossAfterPauseIsNoticedInTime() {
        start(MEDIUM, 1);
        subject.post(WrOpcode.SEND, 1, 0, 10);
        peer.next(Opcode.RC_SEND_ONLY, PSN);
        pause(3600);
        pass(MEDIUM_MILLIS + 10);
        peer.next(Opcode.RC_SEND_ONLY, PSN);
        pause(3600);
        pass(2 * MEDIUM_MILLIS + 10);
        subject.next(1, WcStatus.RETRY_EXC_ERR);
        assertThat(timeouts()).isEqualTo(2);
    }

    @Test
    void lossIsNoticedWhenThreadsHardlyRun() {
        start(SHORTEST, 2);
        subject.post(WrOpcode.SEND, 1, 0, 10);
        WorkCompletion[] wc = {new WorkCompletion()};
        long end = System.nanoTime() + PATIENCE;
        while (subject.cq.poll(1, wc) == 0) {
            pause(1);
            assertThat(System.nanoTime()).as("%s", subject.counters()).isLessThan(end);
        }
        assertThat(wc[0].status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
        assertThat(timeouts()).isEqualTo(3);
    }

    @Test
    void lossIsNotNoticedEarly() {
        start(MEDIUM, 7);
        subject.post(WrOpcode.SEND, 1, 0, 10);
        peer.next(Opcode.RC_SEND_ONLY, PSN);
        pass(MEDIUM_MILLIS - 10);
        assertThat(timeouts()).isZero();
        peer.silence();
    }

    @Test
    void tooShortTimeoutIsLengthened() {
        start(1, 0); // 8 us
        subject.post(WrOpcode.SEND, 1, 0, 10);
        peer.next(Opcode.RC_SEND_ONLY, PSN);
        pass(15);
        assertThat(timeouts()).isZero();
        pass(5);
        subject.next(1, WcStatus.RETRY_EXC_ERR);
    }

    @Test
    void acknowledgementInReceiveQueueCounts() throws InterruptedException {
        start(SHORTEST, 0);
        try (Subject other = another()) {
            subject.post(WrOpcode.SEND, 1, 0, 10);
            peer.next(Opcode.RC_SEND_ONLY, PSN);
            // A packet of another queue pair blocks the receiving thread, and the acknowledgement is queued behind it.
            synchronized (((RxeQueuePair) other.qp).qp.sendLock) {
                peer.connect(subject.gid(), other.qp.qpNum());
                peer.ack(PSN);
                awaitBlockedThread();
                peer.connect(subject.gid(), subject.qp.qpNum());
                peer.ack(PSN);
                pass(200);
                assertThat(timeouts()).isZero();
                assertThat(subject.state()).isEqualTo(QpState.RTS);
            }
            subject.next(1, WcStatus.SUCCESS);
        }
    }

    @Test
    void acknowledgementNotReceivedIsMissed() throws InterruptedException {
        start(SHORTEST, 0);
        try (Subject other = another()) {
            subject.post(WrOpcode.SEND, 1, 0, 10);
            peer.next(Opcode.RC_SEND_ONLY, PSN);
            synchronized (((RxeQueuePair) other.qp).qp.sendLock) {
                peer.connect(subject.gid(), other.qp.qpNum());
                peer.ack(PSN);
                awaitBlockedThread();
                pass(200);
                assertThat(timeouts()).isZero();
            }
            pass(5);
            subject.next(1, WcStatus.RETRY_EXC_ERR);
        }
    }

    /** Opens another queue pair of the device. */
    private Subject another() {
        Subject other = new Subject(subject.context.again(), QpType.RC, 4096);
        other.connect(peer.gid(), ScriptedPeer.QPN, PSN, 200);
        return other;
    }

    private void awaitBlockedThread() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE;
        String name = subject.context.device().name() + "-receiver-" + subject.gid();
        Thread receiver = Thread.getAllStackTraces().keySet().stream()
                .filter(t -> t.getName().equals(name))
                .findAny()
                .orElseThrow();
        while (receiver.getState() != Thread.State.BLOCKED) {
            assertThat(System.nanoTime()).as("%s", receiver.getState()).isLessThan(end);
            Thread.sleep(1);
        }
    }

    @Test
    void pauseDoesNotEndRnrWait() {
        start(MEDIUM, 0);
        subject.post(WrOpcode.SEND, 1, 0, 10);
        peer.next(Opcode.RC_SEND_ONLY, PSN);
        peer.aeth(PSN, Aeth.rnrNak(26)); // 81.92 ms
        subject.awaitCount(TransportCounters.RNR_NAK, 1);
        pause(3600);
        peer.silence();
        pass(82);
        peer.next(Opcode.RC_SEND_ONLY, PSN);
        peer.ack(PSN);
        subject.next(1, WcStatus.SUCCESS);
    }

    @Test
    void pauseDoesNotEndRnrWaitWithinProcess() {
        subject.rnrRetry = 1;
        try (Subject receiver = new Subject(subject.context.again(), QpType.RC, 4096)) {
            receiver.minRnrTimer = 26;
            receiver.connect(subject.gid(), subject.qp.qpNum(), 200, PSN);
            subject.connect(receiver.gid(), receiver.qp.qpNum(), PSN, 200);
            subject.post(WrOpcode.SEND, 1, 0, 10);
            pause(3600);
            pause(3600);
            subject.nothingCompletes();
            receiver.recv(2, 0, 10);
            pass(82);
            receiver.next(2, WcStatus.SUCCESS);
            subject.next(1, WcStatus.SUCCESS);
        }
    }
}
