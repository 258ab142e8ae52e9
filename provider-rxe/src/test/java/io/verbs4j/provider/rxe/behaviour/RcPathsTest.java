/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.AsyncEvent;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.MemoryWindow;
import io.verbs4j.Mtu;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SrqAttr;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program sees of RC. */
@WithOneCopy
class RcPathsTest extends EachPath {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 255, 256, 257, 1023, 1024, 1025, 4096, 65536, 65537, 1 << 20})
    void sendArrivesWhole(int size) {
        start();
        b.recv(7, 0, BYTES);
        a.post(Side.wr(WrOpcode.SEND, 5, a.sge(0, size)));
        WorkCompletion sent = a.next(5, WcStatus.SUCCESS);
        assertThat(sent.opcode()).isEqualTo(WcOpcode.SEND);
        WorkCompletion got = b.next(7, WcStatus.SUCCESS);
        assertThat(got.opcode()).isEqualTo(WcOpcode.RECV);
        assertThat(got.byteLen()).isEqualTo(size);
        assertThat(got.wcFlags() & WcFlags.WITH_IMM).isZero();
        b.assertPattern(0, 1, 0, size);
        b.assertPattern(size, 2, size, BYTES - size);
    }

    @ParameterizedTest
    @ValueSource(ints = {Mtu.MTU_256, Mtu.MTU_512, Mtu.MTU_1024, Mtu.MTU_2048, Mtu.MTU_4096})
    void everyPathMtuCarriesMessages(int mtu) {
        start(s -> s.mtu = mtu);
        b.recv(1, 0, 40_000);
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 33_333)));
        a.next(1, WcStatus.SUCCESS);
        assertThat(b.next(1, WcStatus.SUCCESS).byteLen()).isEqualTo(33_333);
        b.assertPattern(0, 1, 0, 33_333);
        a.post(a.to(Side.wr(WrOpcode.RDMA_READ, 2, a.sge(100_000, 33_333)), b, 200_000));
        a.next(2, WcStatus.SUCCESS);
        a.assertPattern(100_000, 2, 200_000, 33_333);
    }

    @Test
    void immediateDataArrives() {
        start();
        b.recv(1, 0, 10);
        a.post(Side.wr(WrOpcode.SEND_WITH_IMM, 1, a.sge(0, 10)).immData(0xcafebabe));
        a.next(1, WcStatus.SUCCESS);
        WorkCompletion got = b.next(1, WcStatus.SUCCESS);
        assertThat(got.wcFlags() & WcFlags.WITH_IMM).isNotZero();
        assertThat(got.immData()).isEqualTo(0xcafebabe);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 1024, 100_001, 500_000})
    void writeGoesToItsAddress(int size) {
        start();
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 9, a.sge(0, size)), b, 4001));
        WorkCompletion wc = a.next(9, WcStatus.SUCCESS);
        assertThat(wc.opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
        b.assertPattern(0, 2, 0, 4001);
        b.assertPattern(4001, 1, 0, size);
        b.assertPattern(4001 + size, 2, 4001 + size, 1000);
    }

    @Test
    void writeWithImmediateTakesAReceive() {
        start();
        b.recv(3, 0, 0);
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE_WITH_IMM, 9, a.sge(0, 5000)), b, 0)
                .immData(77));
        a.next(9, WcStatus.SUCCESS);
        WorkCompletion got = b.next(3, WcStatus.SUCCESS);
        assertThat(got.opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
        assertThat(got.immData()).isEqualTo(77);
        assertThat(got.byteLen()).isEqualTo(5000);
        b.assertPattern(0, 1, 0, 5000);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1024, 70_000, 500_000})
    void readFetchesRemoteMemory(int size) {
        start();
        a.post(a.to(Side.wr(WrOpcode.RDMA_READ, 4, a.sge(11, size)), b, 333));
        WorkCompletion wc = a.next(4, WcStatus.SUCCESS);
        assertThat(wc.opcode()).isEqualTo(WcOpcode.RDMA_READ);
        assertThat(wc.byteLen()).isEqualTo(size);
        a.assertPattern(11, 2, 333, size);
    }

    @Test
    void atomicsUseNativeByteOrder() {
        start();
        b.buffer.order(ByteOrder.nativeOrder()).putLong(64, 40);
        a.buffer.order(ByteOrder.nativeOrder());
        a.post(a.to(Side.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, 1, a.sge(0, 8)), b, 64)
                .compareAdd(2));
        assertThat(a.next(1, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.FETCH_ADD);
        assertThat(a.buffer.getLong(0)).isEqualTo(40);
        assertThat(b.buffer.getLong(64)).isEqualTo(42);
        a.post(a.to(Side.wr(WrOpcode.ATOMIC_CMP_AND_SWP, 2, a.sge(8, 8)), b, 64)
                .compareAdd(42)
                .swap(-5));
        assertThat(a.next(2, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.COMP_SWAP);
        assertThat(a.buffer.getLong(8)).isEqualTo(42);
        assertThat(b.buffer.getLong(64)).isEqualTo(-5);
        a.post(a.to(Side.wr(WrOpcode.ATOMIC_CMP_AND_SWP, 3, a.sge(8, 8)), b, 64)
                .compareAdd(1)
                .swap(1));
        a.next(3, WcStatus.SUCCESS);
        assertThat(b.buffer.getLong(64)).isEqualTo(-5);
    }

    @Test
    void scatterGatherListsAreJoinedAndSplit() {
        start();
        assertThat(b.qp.postRecv(new RecvWorkRequest()
                        .wrId(1)
                        .sgList(b.sge(0, 1), b.sge(100, 0), b.sge(200, 4000), b.sge(8000, 20_000))))
                .isZero();
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 3000), a.sge(3000, 7), a.sge(3007, 12_000)));
        a.next(1, WcStatus.SUCCESS);
        assertThat(b.next(1, WcStatus.SUCCESS).byteLen()).isEqualTo(15_007);
        b.assertPattern(0, 1, 0, 1);
        b.assertPattern(200, 1, 1, 4000);
        b.assertPattern(8000, 1, 4001, 15_007 - 4001);
    }

    @Test
    void inlineDataIsCopiedAtPost() {
        start();
        b.recv(1, 0, 100);
        SendWorkRequest wr = Side.wr(WrOpcode.SEND, 1, a.sge(0, 60), a.sge(60, 40));
        a.post(wr.sendFlags(SendFlags.SIGNALED | SendFlags.INLINE));
        for (int i = 0; i < 100; i++) {
            a.buffer.put(i, (byte) 0);
        }
        a.next(1, WcStatus.SUCCESS);
        b.next(1, WcStatus.SUCCESS);
        b.assertPattern(0, 1, 0, 100);
        assertThat(a.qp.postSend(Side.wr(WrOpcode.SEND, 1, a.sge(0, 257)).sendFlags(SendFlags.INLINE)))
                .isEqualTo(Errno.EINVAL);
    }

    @Test
    void unsignaledRequestsDoNotComplete() {
        start();
        for (int i = 0; i < 10; i++) {
            a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, i, a.sge(0, 100)), b, 0)
                    .sendFlags(i == 9 ? SendFlags.SIGNALED : 0));
        }
        a.next(9, WcStatus.SUCCESS);
        assertThat(a.rest(20)).isEmpty();
    }

    @Test
    void orderIsKept() {
        start();
        for (int i = 0; i < 60; i++) {
            b.recv(i, i * 2000, 2000);
        }
        SendWorkRequest list = null;
        for (int i = 59; i >= 0; i--) {
            list = Side.wr(WrOpcode.SEND, i, a.sge(i, 1500 + i)).next(list);
        }
        a.post(list);
        for (int i = 0; i < 60; i++) {
            a.next(i, WcStatus.SUCCESS);
            assertThat(b.next(i, WcStatus.SUCCESS).byteLen()).isEqualTo(1500 + i);
            b.assertPattern(i * 2000, 1, i, 1500 + i);
        }
    }

    @Test
    void fullQueueReportsFirstThatDidNotFit() {
        start(s -> s.maxWr = 4);
        QpInitAttr told = new QpInitAttr();
        a.qp.query(new QpAttr(), 0, told);
        int room = told.cap().maxSendWr();
        SendWorkRequest list = null;
        for (int i = room + 5; i >= 0; i--) {
            // Nothing is received, so nothing completes.
            list = Side.wr(WrOpcode.SEND, i, a.sge(0, 10)).next(list);
        }
        SendWorkRequest[] bad = new SendWorkRequest[1];
        assertThat(a.qp.postSend(list, bad)).isEqualTo(Errno.ENOMEM);
        assertThat(bad[0].wrId()).isEqualTo(room);
        for (int i = 0; i < room; i++) {
            b.recv(i, 0, 10);
        }
        for (int i = 0; i < room; i++) {
            a.next(i, WcStatus.SUCCESS);
        }
    }

    @Test
    void sharedReceiveQueueReportsLimit() {
        start(s -> s.withSrq = true);
        for (int i = 0; i < 8; i++) {
            b.recv(i, i * 100, 100);
        }
        b.srq.modify(new SrqAttr().srqLimit(6));
        assertThat(b.srq.query().srqLimit()).isEqualTo(6);
        for (int i = 0; i < 3; i++) {
            a.post(Side.wr(WrOpcode.SEND, i, a.sge(0, 50)));
            a.next(i, WcStatus.SUCCESS);
            b.next(i, WcStatus.SUCCESS);
        }
        AsyncEvent event = nextEvent(b, EventType.SRQ_LIMIT_REACHED);
        assertThat(event.element()).isSameAs(b.srq);
        event.ack();
        assertThat(b.srq.query().srqLimit()).isZero();
    }

    static AsyncEvent nextEvent(Side side, int type) {
        while (true) {
            AsyncEvent event = side.context.getAsyncEvent(20, TimeUnit.SECONDS);
            assertThat(event).as("event %s", EventType.toString(type)).isNotNull();
            if (event.eventType() == type) {
                return event;
            }
            event.ack();
        }
    }

    @Test
    void windowOpensAndClosesPartOfRegion() {
        start();
        MemoryWindow mw = b.opened(b.pd.allocMw(MwType.TYPE_1));
        int remoteWrite = AccessFlags.REMOTE_WRITE;
        assertThat(b.qp.bindMw(
                        mw,
                        new MwBind()
                                .wrId(5)
                                .sendFlags(SendFlags.SIGNALED)
                                .mr(b.mr)
                                .addr(b.mr.addr() + 1000)
                                .length(100)
                                .mwAccessFlags(remoteWrite)))
                .isZero();
        assertThat(b.next(5, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.BIND_MW);
        a.post(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 100))
                .remoteAddr(b.mr.addr() + 1000)
                .rkey(mw.rkey()));
        a.next(1, WcStatus.SUCCESS);
        b.assertPattern(1000, 1, 0, 100);
        int rkey = mw.rkey();
        assertThat(b.qp.bindMw(
                        mw, new MwBind().wrId(6).sendFlags(SendFlags.SIGNALED).length(0)))
                .isZero();
        b.next(6, WcStatus.SUCCESS);
        a.post(Side.wr(WrOpcode.RDMA_WRITE, 2, a.sge(0, 100))
                .remoteAddr(b.mr.addr() + 1000)
                .rkey(rkey));
        a.next(2, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void sendQueueDrains() {
        start();
        b.recv(1, 0, 100);
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 100)));
        a.next(1, WcStatus.SUCCESS);
        b.next(1, WcStatus.SUCCESS);
        a.qp.modify(new QpAttr().qpState(QpState.SQD).enSqdAsyncNotify(true));
        nextEvent(a, EventType.SQ_DRAINED).ack();
        b.recv(2, 0, 100);
        a.post(Side.wr(WrOpcode.SEND, 2, a.sge(0, 100)));
        assertThat(a.rest(30)).isEmpty();
        a.qp.modify(new QpAttr().qpState(QpState.RTS));
        a.next(2, WcStatus.SUCCESS);
        b.next(2, WcStatus.SUCCESS);
    }

    /** Each would be carried out immediately if not for the request before it. */
    @Test
    void writesStayBehindWaitingSends() {
        start();
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 100)).next(write(2, 1000)));
        a.post(write(3, 2000));
        assertThat(a.rest(30)).isEmpty();
        b.assertPattern(0, 2, 0, 3000);
        b.recv(1, 0, 100);
        for (int i = 1; i <= 3; i++) {
            a.next(i, WcStatus.SUCCESS);
        }
        b.assertPattern(1000, 1, 500, 100);
        b.assertPattern(2000, 1, 500, 100);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void signalAllCompletesUnsignaledRequests(boolean all) {
        start(s -> s.sigAll = all);
        a.post(write(1, 1000).sendFlags(0));
        a.post(a.to(Side.wr(WrOpcode.RDMA_READ, 2, a.sge(0, 10)), b, 0).sendFlags(0));
        a.post(write(3, 2000));
        if (all) {
            assertThat(a.next(1, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
            a.next(2, WcStatus.SUCCESS);
        }
        a.next(3, WcStatus.SUCCESS);
        assertThat(a.rest(0)).isEmpty();
        b.assertPattern(1000, 1, 500, 100);
    }

    @Test
    void writesWaitInSqd() {
        start();
        a.qp.modify(new QpAttr().qpState(QpState.SQD).enSqdAsyncNotify(true));
        nextEvent(a, EventType.SQ_DRAINED).ack();
        a.post(write(1, 1000));
        assertThat(a.rest(30)).isEmpty();
        b.assertPattern(0, 2, 0, 2000);
        a.qp.modify(new QpAttr().qpState(QpState.RTS));
        a.next(1, WcStatus.SUCCESS);
        b.assertPattern(1000, 1, 500, 100);
    }

    @Test
    void writeToPeerInErrorChangesNothing() {
        start(s -> s.retryCnt = 1);
        a.post(write(1, 1000));
        a.next(1, WcStatus.SUCCESS);
        b.qp.modify(new QpAttr().qpState(QpState.ERR));
        a.post(write(2, 2000));
        a.next(2, WcStatus.RETRY_EXC_ERR);
        b.assertPattern(2000, 2, 2000, 100);
    }

    @Test
    void writeWithUnexpectedPsnChangesNothing() {
        make(s -> s.retryCnt = 1);
        a.toInit();
        b.toInit();
        a.toRtr(b.gid(), b.qp.qpNum(), 7);
        b.toRtr(a.gid(), a.qp.qpNum(), 100);
        a.toRts(105);
        a.post(write(1, 1000));
        a.next(1, WcStatus.RETRY_EXC_ERR);
        b.assertPattern(1000, 2, 1000, 100);
    }

    @Test
    void writeRaisesCommEstAndTakesPsnPerPacket() {
        make(s -> s.mtu = Mtu.MTU_256);
        a.toInit();
        b.toInit();
        a.toRtr(b.gid(), b.qp.qpNum(), 7);
        b.toRtr(a.gid(), a.qp.qpNum(), 0xfffffe);
        a.toRts(0xfffffe);
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 1025)), b, 1000));
        a.next(1, WcStatus.SUCCESS);
        nextEvent(b, EventType.COMM_EST).ack();
        QpAttr attr = new QpAttr();
        a.qp.query(attr, QpAttrMask.SQ_PSN, new QpInitAttr());
        assertThat(attr.sqPsn()).isEqualTo(3);
        b.qp.query(attr, QpAttrMask.RQ_PSN, new QpInitAttr());
        assertThat(attr.rqPsn()).isEqualTo(3);
    }

    private SendWorkRequest write(long wrId, int at) {
        return a.to(Side.wr(WrOpcode.RDMA_WRITE, wrId, a.sge(500, 100)), b, at);
    }

    @Test
    void completionEventsAreRaisedAsRequested() {
        start(s -> s.withChannel = true);
        assertThat(b.cq.reqNotify(false)).isZero();
        assertThat(b.channel.getEvent(0, TimeUnit.SECONDS)).isNull();
        b.recv(1, 0, 100);
        b.recv(2, 0, 100);
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 100)));
        assertThat(b.channel.getEvent(20, TimeUnit.SECONDS)).isSameAs(b.cq);
        b.cq.ackEvents(1);
        b.next(1, WcStatus.SUCCESS);
        a.next(1, WcStatus.SUCCESS);
        // Solicited only: the first message raises no event, the second one does.
        assertThat(b.cq.reqNotify(true)).isZero();
        a.post(Side.wr(WrOpcode.SEND, 2, a.sge(0, 100)));
        a.next(2, WcStatus.SUCCESS);
        assertThat(b.channel.getEvent(30, TimeUnit.MILLISECONDS)).isNull();
        b.recv(3, 0, 100);
        a.post(Side.wr(WrOpcode.SEND, 3, a.sge(0, 100)).sendFlags(SendFlags.SIGNALED | SendFlags.SOLICITED));
        assertThat(b.channel.getEvent(20, TimeUnit.SECONDS)).isSameAs(b.cq);
        b.cq.ackEvents(1);
    }

    @Test
    void resizeKeepsCompletions() {
        start();
        b.recv(1, 0, 10);
        b.recv(2, 0, 10);
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 10)));
        a.post(Side.wr(WrOpcode.SEND, 2, a.sge(0, 10)));
        a.next(1, WcStatus.SUCCESS);
        a.next(2, WcStatus.SUCCESS);
        b.cq.resize(1000);
        assertThat(b.cq.cqe()).isGreaterThanOrEqualTo(1000);
        b.next(1, WcStatus.SUCCESS);
        b.next(2, WcStatus.SUCCESS);
    }

    @Test
    void queuePairWorksAgainAfterReset() {
        start();
        a.qp.modify(new QpAttr().qpState(QpState.RESET));
        b.qp.modify(new QpAttr().qpState(QpState.RESET));
        Side.connect(a, b);
        b.recv(1, 0, 100);
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 100)));
        a.next(1, WcStatus.SUCCESS);
        b.next(1, WcStatus.SUCCESS);
        b.assertPattern(0, 1, 0, 100);
    }

    @Test
    void messagesGoBothWaysAtOnce() {
        start();
        for (int i = 0; i < 50; i++) {
            a.recv(1000 + i, 500_000, 9000);
            b.recv(1000 + i, 500_000, 9000);
        }
        for (int i = 0; i < 50; i++) {
            a.post(Side.wr(WrOpcode.SEND, i, a.sge(0, 8000)).sendFlags(0));
            b.post(Side.wr(WrOpcode.SEND, i, b.sge(0, 8000)).sendFlags(0));
        }
        for (int i = 0; i < 50; i++) {
            a.next(1000 + i, WcStatus.SUCCESS);
            b.next(1000 + i, WcStatus.SUCCESS);
        }
        b.assertPattern(500_000, 1, 0, 8000);
        a.assertPattern(500_000, 2, 0, 8000);
    }

    @Test
    void queuePairSendsToItself() {
        start();
        a.qp.modify(new QpAttr().qpState(QpState.RESET));
        Side.connectToItself(a);
        a.recv(1, 100_000, 100);
        a.post(Side.wr(WrOpcode.SEND, 2, a.sge(0, 100)));
        assertThat(a.next().wrId() + a.next().wrId()).isEqualTo(3);
        a.assertPattern(100_000, 1, 0, 100);
    }
}
