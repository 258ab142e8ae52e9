/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.AsyncEvent;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program sees of RC when requests fail or are refused. */
@WithOneCopy
class RcErrorPathsTest extends EachPath {
    @Test
    void receiverNotReadyIsRetriedAndThenSucceeds() throws InterruptedException {
        start(s -> s.rnrRetry = 7);
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 5000)));
        Thread.sleep(30);
        b.recv(2, 0, 5000);
        a.next(1, WcStatus.SUCCESS);
        b.next(2, WcStatus.SUCCESS);
        b.assertPattern(0, 1, 0, 5000);
    }

    @Test
    void receiverNotReadyForTooLongFails() {
        start(s -> s.rnrRetry = 2);
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 100)));
        a.post(Side.wr(WrOpcode.SEND, 2, a.sge(0, 100)));
        a.next(1, WcStatus.RNR_RETRY_EXC_ERR);
        a.next(2, WcStatus.WR_FLUSH_ERR);
        a.awaitState(QpState.ERR);
    }

    @Test
    void missingPeerExhaustsRetries() {
        start(s -> s.retryCnt = 2);
        b.qp.modify(new QpAttr().qpState(QpState.RESET));
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 100)));
        a.next(1, WcStatus.RETRY_EXC_ERR);
        a.awaitState(QpState.ERR);
    }

    @Test
    void errorFlushesBothQueues() {
        start();
        a.recv(20, 0, 10);
        a.recv(21, 0, 10);
        a.qp.modify(new QpAttr().qpState(QpState.ERR));
        a.next(20, WcStatus.WR_FLUSH_ERR);
        a.next(21, WcStatus.WR_FLUSH_ERR);
        a.recv(22, 0, 10);
        a.next(22, WcStatus.WR_FLUSH_ERR);
        a.post(Side.wr(WrOpcode.SEND, 23, a.sge(0, 10)));
        a.next(23, WcStatus.WR_FLUSH_ERR);
    }

    @ParameterizedTest
    @CsvSource({"4", "5", "6", "0"})
    void remoteAccessNeedsRightOfRegion(int opcode) {
        start(s -> {});
        // A region without remote rights.
        ByteBuffer memory = ByteBuffer.allocateDirect(4096);
        MemoryRegion closed = b.opened(b.pd.regMr(memory, AccessFlags.LOCAL_WRITE));
        a.post(Side.wr(opcode, 1, a.sge(0, 8)).remoteAddr(closed.addr()).rkey(closed.rkey()));
        a.next(1, WcStatus.REM_ACCESS_ERR);
        a.awaitState(QpState.ERR);
        b.awaitState(QpState.ERR);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1, BYTES - 7, BYTES, Long.MAX_VALUE})
    void remoteAccessStaysWithinTheRegion(long offset) {
        start();
        byte[] before = new byte[BYTES];
        b.buffer.get(0, before);
        int size = offset == 1 ? BYTES : 8;
        a.post(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, size))
                .remoteAddr(b.mr.addr() + offset)
                .rkey(b.mr.rkey()));
        a.next(1, WcStatus.REM_ACCESS_ERR);
        byte[] after = new byte[BYTES];
        b.buffer.get(0, after);
        assertThat(after).isEqualTo(before);
    }

    @Test
    void wrongKeyIsRefused() {
        start();
        a.post(Side.wr(WrOpcode.RDMA_READ, 1, a.sge(0, 8))
                .remoteAddr(b.mr.addr())
                .rkey(b.mr.rkey() + 1));
        a.next(1, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void remoteAccessNeedsRightOfQueuePair() {
        start(s -> s.access = AccessFlags.REMOTE_WRITE);
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 8)), b, 0));
        a.next(1, WcStatus.SUCCESS);
        a.post(a.to(Side.wr(WrOpcode.RDMA_READ, 2, a.sge(0, 8)), b, 0));
        a.next(2, WcStatus.REM_INV_REQ_ERR);
    }

    @Test
    void localKeysAreCheckedOnSending() {
        start();
        a.post(Side.wr(
                WrOpcode.SEND,
                1,
                new ScatterGatherElement().addr(a.mr.addr()).length(8).lkey(a.mr.lkey() + 1)));
        a.next(1, WcStatus.LOC_PROT_ERR);
        a.awaitState(QpState.ERR);
    }

    @Test
    void readsNeedWritableLocalRegion() {
        start();
        MemoryRegion readOnly = a.opened(a.pd.regMr(ByteBuffer.allocateDirect(64), 0));
        a.post(a.to(Side.wr(WrOpcode.RDMA_READ, 1, ScatterGatherElement.of(readOnly)), b, 0));
        a.next(1, WcStatus.LOC_PROT_ERR);
    }

    @Test
    void tooSmallReceiveFailsBothSides() {
        start();
        b.recv(1, 0, 99);
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 100)));
        b.next(1, WcStatus.LOC_LEN_ERR);
        a.next(1, WcStatus.REM_INV_REQ_ERR);
        b.awaitState(QpState.ERR);
    }

    @Test
    void receiveIntoOtherDomainFailsBothSides() {
        start();
        MemoryRegion foreign = b.opened(b.opened(b.context.allocPd()).regMr(ByteBuffer.allocateDirect(64), 1));
        assertThat(b.qp.postRecv(new RecvWorkRequest().wrId(1).sgList(ScatterGatherElement.of(foreign))))
                .isZero();
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 64)));
        b.next(1, WcStatus.LOC_PROT_ERR);
        a.next(1, WcStatus.REM_OP_ERR);
    }

    @Test
    void misalignedAtomicIsRefusedAtPost() {
        start();
        assertThat(a.qp.postSend(a.to(Side.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, 1, a.sge(0, 8)), b, 4)))
                .isEqualTo(Errno.EINVAL);
        assertThat(a.qp.postSend(a.to(Side.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, 1, a.sge(0, 4)), b, 8)))
                .isEqualTo(Errno.EINVAL);
    }

    @Test
    void nothingCanBePostedBeforeRts() {
        make(s -> {});
        assertThat(a.qp.postSend(Side.wr(WrOpcode.SEND, 1, a.sge(0, 4)))).isEqualTo(Errno.EINVAL);
        assertThat(a.qp.postRecv(new RecvWorkRequest().sgList(a.sge(0, 4)))).isEqualTo(Errno.EINVAL);
        a.toInit();
        a.recv(1, 0, 4);
        assertThat(a.qp.postSend(Side.wr(WrOpcode.SEND, 1, a.sge(0, 4)))).isEqualTo(Errno.EINVAL);
    }

    @Test
    void errorReportsLastWqeReached() {
        start(s -> s.withSrq = true);
        b.qp.modify(new QpAttr().qpState(QpState.ERR));
        AsyncEvent event = RcPathsTest.nextEvent(b, EventType.QP_LAST_WQE_REACHED);
        assertThat(event.element()).isSameAs(b.qp);
        event.ack();
    }

    @Test
    void accessBeyondWindowFails() {
        start();
        MemoryWindow mw = b.opened(b.pd.allocMw(MwType.TYPE_1));
        MwBind bind = new MwBind().mr(b.mr).addr(b.mr.addr() + 1000).length(100).mwAccessFlags(AccessFlags.REMOTE_READ);
        assertThat(b.qp.bindMw(mw, bind)).isZero();
        a.post(Side.wr(WrOpcode.RDMA_READ, 1, a.sge(0, 101))
                .remoteAddr(b.mr.addr() + 1000)
                .rkey(mw.rkey()));
        a.next(1, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void completionQueueOverrunStopsItsQueuePairs() {
        start(s -> s.cqe = 4);
        int room = b.cq.cqe();
        assertThat(room).isLessThan(a.maxWr);
        for (int i = 0; i <= room; i++) {
            b.recv(i, 0, 10);
        }
        for (int i = 0; i <= room; i++) {
            a.post(Side.wr(WrOpcode.SEND, i, a.sge(0, 10)).sendFlags(0));
        }
        AsyncEvent event = RcPathsTest.nextEvent(b, EventType.CQ_ERR);
        assertThat(event.element()).isSameAs(b.cq);
        event.ack();
        b.awaitState(QpState.ERR);
        for (int i = 0; i < room; i++) {
            assertThat(b.next().wrId()).isEqualTo(i);
        }
        assertThat(b.cq.poll(1, new WorkCompletion[] {new WorkCompletion()})).isEqualTo(-Errno.EOVERFLOW);
    }
}
