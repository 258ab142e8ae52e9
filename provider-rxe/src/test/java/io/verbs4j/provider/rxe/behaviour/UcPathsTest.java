/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program sees of UC. */
@WithOneCopy
class UcPathsTest extends EachPath {

    @BeforeEach
    void connectUc() {
        start(s -> s.qpType = QpType.UC);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 60_000})
    void sendArrivesWhole(int size) {
        b.recv(7, 0, BYTES);
        a.post(Side.wr(WrOpcode.SEND, 5, a.sge(0, size)));
        a.next(5, WcStatus.SUCCESS);
        assertThat(b.next(7, WcStatus.SUCCESS).byteLen()).isEqualTo(size);
        b.assertPattern(0, 1, 0, size);
        b.assertPattern(size, 2, size, 1000);
    }

    @Test
    void immediateDataArrives() {
        b.recv(7, 0, 100);
        a.post(Side.wr(WrOpcode.SEND_WITH_IMM, 5, a.sge(0, 100)).immData(-2));
        a.next(5, WcStatus.SUCCESS);
        assertThat(b.next(7, WcStatus.SUCCESS).immData()).isEqualTo(-2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1024, 50_001})
    void writeGoesToItsAddress(int size) {
        b.recv(1, 0, 0);
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, size)), b, 77));
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE_WITH_IMM, 2, a.sge(0, size)), b, 100_000)
                .immData(3));
        a.next(1, WcStatus.SUCCESS);
        a.next(2, WcStatus.SUCCESS);
        WorkCompletion got = b.next(1, WcStatus.SUCCESS);
        assertThat(got.opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
        assertThat(got.immData()).isEqualTo(3);
        b.assertPattern(77, 1, 0, size);
        b.assertPattern(100_000, 1, 0, size);
    }

    @Test
    void messageWithoutReceiveIsSilentlyLost() {
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 3000)));
        a.next(1, WcStatus.SUCCESS);
        assertThat(b.rest(50)).isEmpty(); // it may still be in transit
        b.recv(2, 0, 3000);
        a.post(Side.wr(WrOpcode.SEND_WITH_IMM, 2, a.sge(500, 2500)).immData(9));
        a.next(2, WcStatus.SUCCESS);
        WorkCompletion got = b.next(2, WcStatus.SUCCESS);
        assertThat(got.immData()).isEqualTo(9);
        assertThat(got.byteLen()).isEqualTo(2500);
        b.assertPattern(0, 1, 500, 2500);
    }

    @Test
    void forbiddenWriteIsLost() {
        a.post(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 100))
                .remoteAddr(b.mr.addr())
                .rkey(b.mr.rkey() + 1));
        a.next(1, WcStatus.SUCCESS);
        assertThat(b.rest(50)).isEmpty();
        b.assertPattern(0, 2, 0, 100);
    }

    @Test
    void readsAndAtomicsAreRefused() {
        assertThat(a.qp.postSend(a.to(Side.wr(WrOpcode.RDMA_READ, 1, a.sge(0, 8)), b, 0)))
                .isEqualTo(Errno.EOPNOTSUPP);
        assertThat(a.qp.postSend(a.to(Side.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, 1, a.sge(0, 8)), b, 0)))
                .isEqualTo(Errno.EOPNOTSUPP);
    }

    @Test
    void localErrorStopsSendQueueOnly() {
        a.recv(9, 0, 100);
        a.post(Side.wr(
                WrOpcode.SEND,
                1,
                new ScatterGatherElement().addr(a.mr.addr()).length(8).lkey(a.mr.lkey() + 1)));
        a.next(1, WcStatus.LOC_PROT_ERR);
        a.awaitState(QpState.SQE);
        a.post(Side.wr(WrOpcode.SEND, 2, a.sge(0, 8)));
        a.next(2, WcStatus.WR_FLUSH_ERR);
        b.post(Side.wr(WrOpcode.SEND, 3, b.sge(0, 100)));
        a.next(9, WcStatus.SUCCESS);
        a.qp.modify(new QpAttr().qpState(QpState.RTS));
        b.recv(4, 0, 100);
        a.post(Side.wr(WrOpcode.SEND, 4, a.sge(0, 100)).sendFlags(SendFlags.SIGNALED));
        a.next(4, WcStatus.SUCCESS);
    }
}
