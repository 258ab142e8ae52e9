/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.MemoryRegion;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.testsupport.Patience;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects are closed under traffic: calls return, and nothing is touched afterwards. */
@Timeout(Patience.TEST_SECONDS)
class TeardownTest {
    private static final int BYTES = 1 << 20;

    @RepeatedTest(12)
    void remoteRegionIsDeregisteredUnderTraffic(RepetitionInfo repetition) {
        int opcode = repetition.getCurrentRepetition() % 2 == 0 ? WrOpcode.RDMA_WRITE : WrOpcode.RDMA_READ;
        try (Subject a = new Subject(QpType.RC, null, BYTES);
                Subject b = new Subject(QpType.RC, null, BYTES)) {
            a.connect(b.gid(), b.qp.qpNum(), 1, 2);
            b.connect(a.gid(), a.qp.qpNum(), 2, 1);
            ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
            MemoryRegion target = b.pd.regMr(memory, Subject.ALL);
            for (int i = 0; i < 64; i++) {
                a.post(a.wr(opcode, i, 0, BYTES).remoteAddr(target.addr()).rkey(target.rkey()));
            }
            new Random(repetition.getCurrentRepetition()).ints(1, 0, 3000).forEach(TeardownTest::pauseMicros);
            target.close();
            byte[] atClose = new byte[BYTES];
            memory.get(0, atClose);
            int status = WcStatus.SUCCESS;
            int id = 0;
            while (status == WcStatus.SUCCESS) {
                WorkCompletion wc = a.next();
                assertThat(wc.wrId()).isEqualTo(id++);
                status = wc.status();
            }
            assertThat(WcStatus.toString(status)).isEqualTo(WcStatus.toString(WcStatus.REM_ACCESS_ERR));
            for (; id < 64; id++) {
                a.next(id, WcStatus.WR_FLUSH_ERR);
            }
            byte[] later = new byte[BYTES];
            memory.get(0, later);
            assertThat(later).isEqualTo(atClose);
        }
    }

    private static void pauseMicros(int micros) {
        long end = System.nanoTime() + micros * 1000L;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    @RepeatedTest(6)
    void localRegionIsDeregisteredUnderTraffic(RepetitionInfo repetition) {
        try (Subject a = new Subject(QpType.RC, null, BYTES);
                Subject b = new Subject(QpType.RC, null, BYTES)) {
            a.connect(b.gid(), b.qp.qpNum(), 1, 2);
            b.connect(a.gid(), a.qp.qpNum(), 2, 1);
            MemoryRegion source = a.pd.regMr(ByteBuffer.allocateDirect(BYTES), Subject.ALL);
            int opcode = repetition.getCurrentRepetition() % 2 == 0 ? WrOpcode.RDMA_WRITE : WrOpcode.RDMA_READ;
            for (int i = 0; i < 64; i++) {
                var wr = a.wr(opcode, i, 0, BYTES).remoteAddr(b.address(0)).rkey(b.mr.rkey());
                wr.sgList()[0].addr(source.addr()).lkey(source.lkey());
                a.post(wr);
            }
            source.close();
            int status = WcStatus.SUCCESS;
            while (status == WcStatus.SUCCESS) {
                status = a.next().status();
            }
            assertThat(WcStatus.toString(status)).isEqualTo(WcStatus.toString(WcStatus.LOC_PROT_ERR));
        }
    }

    @Test
    void queuePairWorksAgainAfterResetUnderTraffic() {
        try (Subject a = new Subject(QpType.RC, null, BYTES);
                Subject b = new Subject(QpType.RC, null, BYTES)) {
            for (int round = 0; round < 30; round++) {
                int psn = round * 1000;
                a.connect(b.gid(), b.qp.qpNum(), psn, 2);
                b.connect(a.gid(), a.qp.qpNum(), 2, psn);
                for (int i = 0; i < 20; i++) {
                    b.recv(i, 0, 50_000);
                    a.post(WrOpcode.SEND, i, 0, 50_000);
                }
                int whole = round % 21;
                for (int i = 0; i < whole; i++) {
                    a.next(i, WcStatus.SUCCESS);
                    b.next(i, WcStatus.SUCCESS);
                }
                a.qp.modify(new QpAttr().qpState(QpState.RESET));
                b.qp.modify(new QpAttr().qpState(QpState.RESET));
                assertThat(a.cq.poll(1, new WorkCompletion[] {new WorkCompletion()}))
                        .isZero();
                assertThat(b.cq.poll(1, new WorkCompletion[] {new WorkCompletion()}))
                        .isZero();
            }
            assertThat(a.counters().get(TransportCounters.FAILURE)).isZero();
            assertThat(b.counters().get(TransportCounters.FAILURE)).isZero();
        }
    }
}
