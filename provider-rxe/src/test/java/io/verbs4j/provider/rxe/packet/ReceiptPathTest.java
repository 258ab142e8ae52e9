/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.EventType;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.SendFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.LinkOptions;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.provider.rxe.share.RingWriter;
import io.verbs4j.testsupport.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Requests through a ring that the receiver acknowledges by receipts instead of packets. */
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
class ReceiptPathTest {
    private static final int BYTES = 1 << 20;
    private static final int PSN = 0xfffffa; // wraps soon
    private static final int RECEIPTS_AT = 256;

    private final LinkOptions options = TestContext.oneCopy();
    private final List<Subject> more = new ArrayList<>();
    private final Subject a = new Subject(TestContext.open(options), QpType.RC, BYTES);
    private final Subject b = new Subject(TestContext.open(options), QpType.RC, BYTES);

    @BeforeEach
    void connect() {
        a.put(0, bytes(BYTES, 1));
        a.timeout = 31; // hours: nothing here waits for it
        connect(a, b, PSN);
        a.awaitRing(b.gid());
        b.awaitRing(a.gid());
        // Until both ends poll, one may not know yet that the other can be woken.
        for (int i = 0; i < 4; i++) {
            send(i, SendFlags.SIGNALED);
            b.next(i, WcStatus.SUCCESS);
            a.next(i, WcStatus.SUCCESS);
        }
    }

    @AfterEach
    void close() {
        more.forEach(Subject::close);
        a.close();
        b.close();
    }

    private static void connect(Subject one, Subject other, int psn) {
        one.connect(other.gid(), other.qp.qpNum(), psn, 77);
        other.connect(one.gid(), one.qp.qpNum(), 77, psn);
    }

    private Subject again(Subject of) {
        Subject made = new Subject(of.context.again(), QpType.RC, 4096);
        more.add(made);
        return made;
    }

    private void send(long id, int flags) {
        b.recv(id, (int) id * 64, 64);
        a.post(a.wr(WrOpcode.SEND, id, (int) id * 64, 64).sendFlags(flags));
    }

    private static long sent(Subject s) {
        return s.context.port().counters().get("tx_onecopy_records");
    }

    @Test
    void sendsAndWritesCompleteWithoutPackets() {
        long before = sent(b);
        for (int i = 10; i < 30; i++) {
            send(i, SendFlags.SIGNALED);
            b.next(i, WcStatus.SUCCESS);
            a.next(i, WcStatus.SUCCESS);
            a.post(a.wr(WrOpcode.RDMA_WRITE, i, i * 64, 64)
                    .remoteAddr(b.address(i * 64 + 4096))
                    .rkey(b.mr.rkey()));
            a.cq.poll(0, new WorkCompletion[0]);
            a.next(i, WcStatus.SUCCESS);
            assertThat(b.get(i * 64, 64)).isEqualTo(a.get(i * 64, 64));
            assertThat(b.get(i * 64 + 4096, 64)).isEqualTo(a.get(i * 64, 64));
        }
        assertThat(sent(b) - before).as("records from the receiver").isZero();
        assertThat(sent(a)).isGreaterThanOrEqualTo(40);
    }

    @Test
    void messageOfManyPacketsCompletesWithoutPackets() {
        long before = sent(b);
        b.recv(1, 0, 7000); // less than a span
        a.post(WrOpcode.SEND, 1, 100, 7000);
        assertThat(b.next(1, WcStatus.SUCCESS).byteLen()).isEqualTo(7000);
        a.next(1, WcStatus.SUCCESS);
        assertThat(b.get(0, 7000)).isEqualTo(a.get(100, 7000));
        assertThat(sent(b) - before).as("records from the receiver").isZero();
    }

    /** What the program can't notice is not looked at, until the next request that it can notice. */
    @Test
    void oneSignaledRequestCompletesAllBeforeIt() {
        for (int i = 10; i < 15; i++) {
            send(i, 0);
            b.next(i, WcStatus.SUCCESS);
        }
        a.nothingCompletes();
        send(15, SendFlags.SIGNALED);
        b.next(15, WcStatus.SUCCESS);
        a.next(15, WcStatus.SUCCESS);
        assertThat(qp(a).unfinishedSends()).isZero();
    }

    /** A failed request names itself; those before it succeeded, though nobody had looked. */
    @Test
    void takenRequestsAreNotFlushed() {
        for (int i = 10; i < 15; i++) {
            send(i, 0);
            b.next(i, WcStatus.SUCCESS);
        }
        a.qp.modify(new QpAttr().qpState(QpState.ERR));
        a.nothingCompletes();
        a.post(WrOpcode.SEND, 16, 0, 64);
        a.next(16, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void requestsThatWereNotTakenAreFlushed() {
        b.qp.modify(new QpAttr().qpState(QpState.ERR)); // takes nothing
        a.post(a.wr(WrOpcode.SEND, 10, 0, 64).sendFlags(0));
        a.nothingCompletes();
        a.qp.modify(new QpAttr().qpState(QpState.ERR));
        a.next(10, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void drainedQueueIsReported() {
        for (int i = 10; i < 15; i++) {
            send(i, 0);
            b.next(i, WcStatus.SUCCESS);
        }
        a.qp.modify(new QpAttr().qpState(QpState.SQD).enSqdAsyncNotify(true));
        a.cq.poll(0, new WorkCompletion[0]);
        a.nextEvent(EventType.SQ_DRAINED);
    }

    /** The receipt of what follows a read may be seen before the read's answer, which is not requested again. */
    @Test
    void receiptOvertakesAnswerToRead() {
        b.put(0, bytes(BYTES, 2));
        long repeats = a.counters().get(TransportCounters.GO_BACK);
        whileReceiverIsBlocked(
                b,
                qp(b).recvLock,
                () -> {
                    a.post(a.wr(WrOpcode.RDMA_WRITE, 1, 0, 64)
                            .remoteAddr(b.address(BYTES - 64))
                            .rkey(b.mr.rkey()));
                    a.post(a.wr(WrOpcode.RDMA_READ, 2, 1000, 3000)
                            .remoteAddr(b.address(5))
                            .rkey(b.mr.rkey()));
                    a.post(a.wr(WrOpcode.RDMA_WRITE, 3, 0, 64)
                            .remoteAddr(b.address(BYTES - 128))
                            .rkey(b.mr.rkey()));
                },
                () -> {
                    lie(PSN + 4 + 1 + 3);
                    a.next(1, WcStatus.SUCCESS);
                    a.nothingCompletes();
                });
        a.next(2, WcStatus.SUCCESS);
        a.next(3, WcStatus.SUCCESS);
        assertThat(a.get(1000, 3000)).isEqualTo(b.get(5, 3000));
        assertThat(a.counters().get(TransportCounters.GO_BACK)).isEqualTo(repeats);
    }

    /** The timer finds the receipt that nobody has looked at. */
    @Test
    void acknowledgedRequestDoesNotTimeOut() throws InterruptedException {
        Subject one = again(a);
        Subject other = again(b);
        one.timeout = 18; // 1.07 s
        one.retryCnt = 0;
        connect(one, other, 5);
        other.recv(1, 0, 64);
        one.post(one.wr(WrOpcode.SEND, 1, 0, 64).sendFlags(0));
        other.next(1, WcStatus.SUCCESS);
        Thread.sleep(1500);
        one.nothingCompletes();
        assertThat(qp(one).unfinishedSends()).isZero();
        assertThat(a.counters().get(TransportCounters.TIMEOUT)).isZero();
        assertThat(one.state()).isEqualTo(QpState.RTS);
    }

    /** Atomics wait while too much is under way, although nobody has asked whether it still is. */
    @Test
    void requestThatWaitsForAcknowledgementsIsSent() {
        for (int i = 0; i < 200; i++) {
            a.post(a.wr(WrOpcode.RDMA_WRITE, i, 0, 8)
                    .remoteAddr(b.address(8192))
                    .rkey(b.mr.rkey())
                    .sendFlags(0));
        }
        for (int i = 200; i < 202; i++) {
            a.post(a.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, i, 0, 8)
                    .remoteAddr(b.address(4096))
                    .rkey(b.mr.rkey())
                    .compareAdd(1)
                    .sendFlags(i == 200 ? 0 : SendFlags.SIGNALED));
        }
        a.next(201, WcStatus.SUCCESS);
        assertThat(b.buffer.getLong(4096)).isEqualTo(2);
    }

    /** RNR NAKs come by packets, and receipts for what is repeated. */
    @Test
    void receiverThatIsNotReadyGetsMessageLater() {
        long naks = a.counters().get(TransportCounters.RNR_NAK);
        a.post(WrOpcode.SEND, 10, 0, 64);
        a.awaitCount(TransportCounters.RNR_NAK, naks + 1);
        b.recv(10, 0, 64);
        b.next(10, WcStatus.SUCCESS);
        a.next(10, WcStatus.SUCCESS);
    }

    /** More queue pairs than have receipts, or can be looked at: the rest gets packets. */
    @Test
    void manyQueuePairsComplete() {
        List<Subject[]> pairs = new ArrayList<>();
        for (int i = 0; i < AwaitedReceipts.MOST + 10; i++) {
            Subject one = again(a);
            Subject other = again(b);
            connect(one, other, i);
            pairs.add(new Subject[] {one, other});
        }
        for (int round = 0; round < 3; round++) {
            for (Subject[] pair : pairs) {
                pair[1].recv(1, 0, 64);
                pair[0].post(WrOpcode.SEND, 1, 0, 64);
            }
            for (Subject[] pair : pairs) {
                pair[1].next(1, WcStatus.SUCCESS);
                pair[0].next(1, WcStatus.SUCCESS);
            }
        }
        assertThat(sent(b)).as("acknowledgements by packets").isGreaterThanOrEqualTo(3 * 10);
    }

    /** A place for receipts goes to another queue pair when its own has ended. */
    @Test
    void queuePairsThatFollowOneAnotherUsePlacesAgain() {
        long before = sent(b);
        for (int i = 0; i < 2 * AwaitedReceipts.MOST; i++) {
            Subject one = new Subject(a.context.again(), QpType.RC, 4096);
            Subject other = new Subject(b.context.again(), QpType.RC, 4096);
            connect(one, other, i);
            other.recv(1, 0, 64);
            one.post(WrOpcode.SEND, 1, 0, 64);
            other.next(1, WcStatus.SUCCESS);
            one.next(1, WcStatus.SUCCESS);
            one.close();
            other.close();
        }
        assertThat(sent(b) - before).as("records from the receiver").isZero();
    }

    /** Runs something while the thread that receives for a subject waits for a lock of its queue pair. */
    private static void whileReceiverIsBlocked(Subject subject, Object lock, Runnable first, Runnable then) {
        String name = subject.context.port().name() + "-receiver-" + subject.gid();
        Thread receiver = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .findFirst()
                .orElseThrow();
        synchronized (lock) {
            first.run();
            for (int turn = 0; receiver.getState() != Thread.State.BLOCKED; turn++) {
                Patience.pause(turn);
            }
            then.run();
        }
    }

    private static RxeQp qp(Subject s) {
        return ((RxeQueuePair) s.qp).qp;
    }

    /** Writes a receipt for the first queue pair in the place of the receiver. */
    private void lie(int psn) {
        long at = a.awaitRing(b.gid()).address() + RECEIPTS_AT;
        NativeMemory.putLong(at, NativeMemory.getLong(at) & ~0xffffffL | psn & 0xffffff);
    }

    @Test
    void threadDoesNotSleepWhileThereIsReceipt() {
        whileReceiverIsBlocked(
                a,
                qp(a).sendLock,
                () -> {
                    send(10, SendFlags.SIGNALED);
                    b.next(10, WcStatus.SUCCESS);
                },
                () -> assertThat(a.context.port().openLinks().get(0).await(Patience.NANOS))
                        .isTrue());
        a.next(10, WcStatus.SUCCESS);
    }

    /** The request that the receiver refuses fails, and nothing else is completed in its place. */
    @Test
    @Tag("attack")
    void lyingReceiptForRefusedRequestDoesNoHarm() {
        send(9, SendFlags.SIGNALED);
        a.next(9, WcStatus.SUCCESS);
        whileReceiverIsBlocked(
                a,
                qp(a).sendLock,
                () -> a.post(a.wr(WrOpcode.RDMA_WRITE, 10, 0, 1500) // PSN + 5 and PSN + 6, which is 0
                        .remoteAddr(b.address(0))
                        .rkey(~b.mr.rkey())),
                () -> lie(PSN + 6));
        a.next(10, WcStatus.REM_ACCESS_ERR);
        a.nothingCompletes();
        assertThat(qp(a).unfinishedSends()).isZero();
        a.post(WrOpcode.SEND, 11, 0, 64);
        a.next(11, WcStatus.WR_FLUSH_ERR);
        assertThat(qp(a).unfinishedSends()).isZero();
    }

    /** A hostile receiver can acknowledge what it did not take, but nothing else. */
    @Test
    @Tag("attack")
    void lyingReceiptsDoNoHarm() {
        RingWriter ring = a.awaitRing(b.gid());
        Random random = new Random(3);
        Subject other = again(a);
        Subject peer = again(b);
        connect(other, peer, 5);
        for (int round = 0; round < 300; round++) {
            for (int i = 0; i < 10; i++) {
                long at = ring.address() + RECEIPTS_AT + 64L * random.nextInt(3);
                long word = NativeMemory.getLong(at);
                NativeMemory.putLong(
                        at, random.nextBoolean() ? random.nextLong() : word & ~0xffffffL | random.nextInt(1 << 24));
                a.cq.poll(0, new WorkCompletion[0]);
            }
            a.post(a.wr(WrOpcode.RDMA_WRITE, round, 0, 64)
                    .remoteAddr(b.address(0))
                    .rkey(b.mr.rkey()));
            a.next(round, WcStatus.SUCCESS);
        }
        peer.recv(1, 0, 64);
        other.post(WrOpcode.SEND, 1, 0, 64);
        peer.next(1, WcStatus.SUCCESS);
        other.next(1, WcStatus.SUCCESS);
    }
}
