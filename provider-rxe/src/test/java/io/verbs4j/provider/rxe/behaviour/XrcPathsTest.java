/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program sees of XRC: {@code a} sends, {@code b} receives, {@code c} shares the domain of {@code b}. */
@WithOneCopy
class XrcPathsTest extends EachPath {
    @TempDir
    Path folder;

    private Side c;

    private void xrc(Consumer<Side> settings) {
        start(s -> {
            s.qpType = s == a ? QpType.XRC_SEND : QpType.XRC_RECV;
            s.file = folder.resolve("domain");
            settings.accept(s);
        });
    }

    private void xrc() {
        xrc(s -> {});
    }

    /** Opens another context of the receiving device, with a shared receive queue in the same domain. */
    private Side third() {
        c = new Side(b.context.device(), BYTES);
        c.file = b.file;
        c.createXrcSrq().fill(3);
        return c;
    }

    @AfterEach
    void closeThird() {
        if (c != null) {
            c.close();
        }
    }

    private void post(SendWorkRequest wr, SharedReceiveQueue srq) {
        a.post(wr.remoteSrqn(srq.srqNum()));
    }

    private static void assertGot(WorkCompletion wc, long wrId, int qpNum, int bytes) {
        assertThat(wc.status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(wc.wrId()).isEqualTo(wrId);
        assertThat(wc.qpNum()).isEqualTo(qpNum);
        assertThat(wc.byteLen()).isEqualTo(bytes);
    }

    private QueuePair openQp(Side side, int number) {
        return side.context.openQp(
                new QpOpenAttr().qpNum(number).xrcd(side.xrcd).qpType(QpType.XRC_RECV));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 4096, 65537, 1 << 20})
    void sendArrivesWhole(int size) {
        xrc();
        b.recv(7, 0, BYTES);
        post(Side.wr(WrOpcode.SEND, 5, a.sge(0, size)), b.srq);
        a.next(5, WcStatus.SUCCESS);
        WorkCompletion got = b.next(7, WcStatus.SUCCESS);
        assertThat(got.opcode()).isEqualTo(WcOpcode.RECV);
        assertThat(got.byteLen()).isEqualTo(size);
        assertThat(got.wcFlags() & WcFlags.WITH_IMM).isZero();
        b.assertPattern(0, 1, 0, size);
        b.assertPattern(size, 2, size, BYTES - size);
    }

    /** Uses the sharer's keys, like every XRC message. */
    @Test
    void sendFaultsPagesIn() {
        xrc();
        MemoryRegion region = b.onDemand();
        long faults = b.faults();
        RecvWorkRequest into = new RecvWorkRequest().wrId(7).sgList(ScatterGatherElement.of(region, 100, 9000));
        assertThat(b.srq.postRecv(into)).isZero();
        post(Side.wr(WrOpcode.SEND, 5, a.sge(0, 9000)), b.srq);
        a.next(5, WcStatus.SUCCESS);
        b.next(7, WcStatus.SUCCESS);
        b.assertPattern(100, 1, 0, 9000);
        assertThat(b.faults() - faults).isBetween(3L, 4L); // depends on the alignment of the memory
    }

    @Test
    void writesArriveWithAndWithoutImmediate() {
        xrc();
        post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 5000)), b, 100), b.srq);
        a.next(1, WcStatus.SUCCESS);
        b.assertPattern(100, 1, 0, 5000);
        b.assertPattern(5100, 2, 5100, 1000);
        b.recv(3, 0, 0);
        post(
                a.to(Side.wr(WrOpcode.RDMA_WRITE_WITH_IMM, 2, a.sge(0, 70_000)), b, 0)
                        .immData(77),
                b.srq);
        a.next(2, WcStatus.SUCCESS);
        WorkCompletion got = b.next(3, WcStatus.SUCCESS);
        assertThat(got.opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
        assertThat(got.immData()).isEqualTo(77);
        b.assertPattern(0, 1, 0, 70_000);
    }

    @Test
    void readsAndAtomicsWork() {
        xrc();
        post(a.to(Side.wr(WrOpcode.RDMA_READ, 1, a.sge(11, 70_000)), b, 333), b.srq);
        assertThat(a.next(1, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.RDMA_READ);
        a.assertPattern(11, 2, 333, 70_000);
        b.buffer.order(ByteOrder.nativeOrder()).putLong(64, 40);
        a.buffer.order(ByteOrder.nativeOrder());
        post(a.to(Side.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, 2, a.sge(0, 8)), b, 64).compareAdd(2), b.srq);
        a.next(2, WcStatus.SUCCESS);
        assertThat(a.buffer.getLong(0)).isEqualTo(40);
        post(
                a.to(Side.wr(WrOpcode.ATOMIC_CMP_AND_SWP, 3, a.sge(8, 8)), b, 64)
                        .compareAdd(42)
                        .swap(-5),
                b.srq);
        a.next(3, WcStatus.SUCCESS);
        assertThat(a.buffer.getLong(8)).isEqualTo(42);
        assertThat(b.buffer.getLong(64)).isEqualTo(-5);
    }

    @Test
    void messagesGoToNamedQueue() {
        xrc();
        third();
        for (int i = 0; i < 200; i++) {
            Side to = i % 2 == 0 ? b : c;
            int size = 1 + i * 37;
            to.recv(i, 0, 10_000);
            post(Side.wr(WrOpcode.SEND_WITH_IMM, i, a.sge(i, size)).immData(i), to.srq);
            a.next(i, WcStatus.SUCCESS);
            WorkCompletion got = to.next();
            assertGot(got, i, b.qp.qpNum(), size);
            assertThat(got.immData()).isEqualTo(i);
            to.assertPattern(0, 1, i, size);
        }
        assertThat(b.rest(10)).isEmpty();
        assertThat(c.rest(10)).isEmpty();
    }

    @Test
    void keysBelongToDomainOfNamedQueue() {
        xrc();
        third();
        post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 3000)), c, 0), c.srq);
        a.next(1, WcStatus.SUCCESS);
        c.assertPattern(0, 1, 0, 3000);
        post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 2, a.sge(0, 3000)), c, 0), b.srq);
        a.next(2, WcStatus.REM_ACCESS_ERR);
        b.awaitState(QpState.ERR);
        assertThat(event(b)).isEqualTo(EventType.QP_ACCESS_ERR);
    }

    @ParameterizedTest
    @ValueSource(ints = {WrOpcode.RDMA_READ, WrOpcode.ATOMIC_FETCH_AND_ADD})
    void readsUseDomainOfNamedQueue(int opcode) {
        xrc();
        ProtectionDomain other = b.opened(b.context.allocPd());
        SharedReceiveQueue elsewhere = b.opened(b.newXrcSrq(other));
        ByteBuffer memory = ByteBuffer.allocateDirect(64);
        MemoryRegion region = b.opened(other.regMr(memory, Side.ALL_ACCESS));
        SendWorkRequest wr =
                Side.wr(opcode, 1, a.sge(0, 8)).remoteAddr(region.addr()).rkey(region.rkey());
        post(wr, elsewhere);
        a.next(1, WcStatus.SUCCESS);
        post(wr.wrId(2), b.srq);
        a.next(2, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void receivesUseKeysOfQueuesDomain() {
        xrc();
        third();
        RecvWorkRequest wr = new RecvWorkRequest().wrId(4).sgList(b.sge(0, 100));
        assertThat(c.srq.postRecv(wr)).isZero();
        post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 50)), c.srq);
        a.next(1, WcStatus.REM_OP_ERR);
        WorkCompletion got = c.next();
        assertThat(got.status()).isEqualTo(WcStatus.LOC_PROT_ERR);
        b.assertPattern(0, 2, 0, 100);
    }

    @ParameterizedTest
    @ValueSource(ints = {WrOpcode.SEND, WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ})
    void unknownQueueFailsRequest(int opcode) {
        xrc();
        third();
        SharedReceiveQueue gone = b.newXrcSrq(b.pd); // the last one: a queue created later may get its number
        int number = gone.srqNum();
        gone.close();
        QueuePair second = c.opened(openQp(c, b.qp.qpNum()));
        a.post(a.to(Side.wr(opcode, 1, a.sge(0, 100)), b, 0).remoteSrqn(number));
        a.next(1, WcStatus.REM_INV_REQ_ERR);
        b.awaitState(QpState.ERR);
        assertThat(second.query(QpAttrMask.STATE).qpState()).isEqualTo(QpState.ERR);
        assertThat(event(b)).isEqualTo(EventType.QP_REQ_ERR);
        assertThat(event(c)).isEqualTo(EventType.QP_REQ_ERR);
    }

    @Test
    void queuesOfOtherDomainsCannotBeReached() {
        xrc();
        c = new Side(b.context.device(), BYTES); // without a file, hence a domain of its own
        c.createXrcSrq();
        c.recv(1, 0, 100);
        post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 10)), c.srq);
        a.next(1, WcStatus.REM_INV_REQ_ERR);
        assertThat(c.rest(10)).isEmpty();
    }

    private static int event(Side side) {
        AsyncEvent event = side.context.getAsyncEvent(60, TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        event.ack();
        // The first message may have come before RTS, which raises an event.
        return event.eventType() == EventType.COMM_EST ? event(side) : event.eventType();
    }

    @Test
    void senderWaitsForReceive() throws InterruptedException {
        xrc();
        third();
        post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 5000)), c.srq);
        Thread.sleep(20);
        c.recv(9, 0, 5000);
        a.next(1, WcStatus.SUCCESS);
        assertGot(c.next(), 9, b.qp.qpNum(), 5000);
        c.assertPattern(0, 1, 0, 5000);
    }

    @Test
    void senderGivesUpWithoutReceive() {
        xrc(s -> s.rnrRetry = 1);
        post(a.to(Side.wr(WrOpcode.RDMA_WRITE_WITH_IMM, 1, a.sge(0, 10)), b, 0), b.srq);
        a.next(1, WcStatus.RNR_RETRY_EXC_ERR);
        b.assertPattern(0, 2, 0, 10);
        a.awaitState(QpState.ERR);
    }

    @Test
    void tooLongMessageFailsBothSides() {
        xrc();
        b.recv(1, 0, 2000);
        post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 2001)), b.srq);
        a.next(1, WcStatus.REM_INV_REQ_ERR);
        b.next(1, WcStatus.LOC_LEN_ERR);
        b.assertPattern(2000, 2, 2000, 100);
    }

    @Test
    void limitEventIsThatOfNamedQueue() {
        xrc();
        third();
        c.recv(1, 0, 10);
        c.recv(2, 0, 10);
        c.srq.modify(new SrqAttr().srqLimit(2));
        post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 10)), c.srq);
        a.next(1, WcStatus.SUCCESS);
        AsyncEvent event = c.context.getAsyncEvent(60, TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        assertThat(event.eventType()).isEqualTo(EventType.SRQ_LIMIT_REACHED);
        assertThat(event.element()).isSameAs(c.srq);
        event.ack();
    }

    @Test
    void queuePairLivesUntilLastHandleCloses() {
        xrc();
        third();
        QueuePair second = c.opened(openQp(c, b.qp.qpNum()));
        assertThat(second.qpNum()).isEqualTo(b.qp.qpNum());
        assertThat(second.query(QpAttrMask.STATE).qpState()).isEqualTo(QpState.RTS);
        int number = b.qp.qpNum();
        b.qp.close();
        c.recv(1, 0, 100);
        post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 100)), c.srq);
        a.next(1, WcStatus.SUCCESS);
        assertGot(c.next(), 1, number, 100);
        second.modify(new QpAttr().qpState(QpState.ERR));
        assertThat(second.query(QpAttrMask.STATE).qpState()).isEqualTo(QpState.ERR);
        second.close();
        assertThatThrownBy(() -> openQp(c, number))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }

    @Test
    void nextMessageToClosedQueueFails() {
        xrc();
        b.recv(1, 0, 100);
        int number = b.srq.srqNum();
        b.srq.close();
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 100)).remoteSrqn(number));
        a.next(1, WcStatus.REM_INV_REQ_ERR);
    }

    @Test
    void receiverRefusesPosts() {
        xrc();
        SendWorkRequest[] bad = new SendWorkRequest[1];
        SendWorkRequest wr = Side.wr(WrOpcode.SEND, 1, b.sge(0, 10));
        assertThat(b.qp.postSend(wr, bad)).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(bad[0]).isSameAs(wr);
        assertThat(b.qp.postRecv(new RecvWorkRequest().sgList(b.sge(0, 10)))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(a.qp.postRecv(new RecvWorkRequest().sgList(a.sge(0, 10)))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(a.qp.postSend(Side.wr(WrOpcode.SEND, 1, a.sge(0, 10)).remoteSrqn(1 << 24)))
                .isEqualTo(Errno.EINVAL);
        assertThat(a.qp.postSend(Side.wr(WrOpcode.SEND, 1, a.sge(0, 10)).remoteSrqn(-1)))
                .isEqualTo(Errno.EINVAL);
    }

    @Test
    void manyMessagesMayBeInFlight() {
        xrc();
        third();
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 30; i++) {
                (i % 3 == 0 ? b : c).recv(i, i * 3000, 3000);
            }
            for (int i = 0; i < 30; i++) {
                post(Side.wr(WrOpcode.SEND, i, a.sge(i, 100 * i)), (i % 3 == 0 ? b : c).srq);
            }
            for (int i = 0; i < 30; i++) {
                a.next(i, WcStatus.SUCCESS);
            }
            for (int i = 0; i < 30; i++) {
                Side to = i % 3 == 0 ? b : c;
                assertGot(to.next(), i, b.qp.qpNum(), 100 * i);
                to.assertPattern(i * 3000, 1, i, 100 * i);
            }
        }
    }

    @Test
    void queuePairsOfADomainAreIndependent() {
        xrc();
        third();
        QueuePair own = c.opened(
                c.context.createQpEx(new QpInitAttrEx().qpType(QpType.XRC_RECV).xrcd(c.xrcd)));
        own.modify(new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(0));
        assertThat(b.qp.query(QpAttrMask.STATE).qpState()).isEqualTo(QpState.RTS);
        ScatterGatherElement nothing = b.sge(0, 0);
        b.recv(1, 0, 10);
        post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 10), nothing.length() == 0 ? a.sge(20, 0) : nothing), b.srq);
        a.next(1, WcStatus.SUCCESS);
    }
}
