/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompCntrCaps;
import io.verbs4j.CompCntrInitAttr;
import io.verbs4j.CompCntrOps;
import io.verbs4j.CompCntrType;
import io.verbs4j.CompletionCounter;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What completion counters count. */
@WithOneCopy
class CounterPathsTest extends EachPath {
    private static final int GRH = 40;
    private static final int ALL = (CompCntrOps.REMOTE_RDMA_WRITE << 1) - 1;

    /** One for each operation, in the order of the bits. */
    private List<CompletionCounter> atA;

    private List<CompletionCounter> atB;

    /** Makes both sides with counters, which are closed after the queue pairs. */
    private void makeCounters(int qpType, int type) {
        make(side -> {
            side.qpType = qpType;
            List<CompletionCounter> counters = IntStream.range(0, Integer.bitCount(ALL))
                    .mapToObj(op -> side.opened(side.context.createCompCntr(new CompCntrInitAttr().type(type))))
                    .toList();
            if (side == a) {
                atA = counters;
            } else {
                atB = counters;
            }
        });
    }

    /** Makes both sides and attaches a counter to each operation. */
    private void startCounting(int qpType, int type) {
        makeCounters(qpType, type);
        for (int op = 0; op < atA.size(); op++) {
            a.qp.attachCompCntr(atA.get(op), 1 << op);
            b.qp.attachCompCntr(atB.get(op), 1 << op);
        }
        Side.connect(a, b);
    }

    private static List<Long> read(List<CompletionCounter> counters) {
        return counters.stream().map(CompletionCounter::read).toList();
    }

    private static List<Long> errors(List<CompletionCounter> counters) {
        return counters.stream().map(CompletionCounter::readErr).toList();
    }

    private static void refused(int errno, String words, ThrowingCallable call) {
        assertThatExceptionOfType(VerbsException.class).isThrownBy(call).satisfies(e -> {
            assertThat(e.errno()).isEqualTo(errno);
            assertThat(e).hasMessageContaining(words);
        });
    }

    /**
     * Posts three sends, four writes (one with a receive), two reads and an atomic operation, all of different lengths.
     */
    private void talk() {
        for (int i = 0; i < 4; i++) {
            b.recv(i, 8192 * i, 8192);
        }
        SendWorkRequest first = Side.wr(WrOpcode.SEND, 1, a.sge(0, 100)).sendFlags(0);
        SendWorkRequest second =
                Side.wr(WrOpcode.SEND_WITH_IMM, 2, a.sge(0, 5000)).sendFlags(0);
        SendWorkRequest third = Side.wr(WrOpcode.SEND, 3).sendFlags(0);
        a.post(first.next(second.next(third)));
        for (int i = 0; i < 3; i++) {
            int length = List.of(7, 3000, 0).get(i);
            a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 4, a.sge(0, length)).sendFlags(0), b, 40_000));
        }
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE_WITH_IMM, 5, a.sge(0, 20)).sendFlags(0), b, 40_000));
        a.post(a.to(Side.wr(WrOpcode.RDMA_READ, 6, a.sge(50_000, 4000)), b, 0));
        a.post(a.to(Side.wr(WrOpcode.RDMA_READ, 7, a.sge(50_000, 1)), b, 0));
        a.post(a.to(Side.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, 8, a.sge(60_000, 8)), b, 0));
        a.next(6, WcStatus.SUCCESS);
        a.next(7, WcStatus.SUCCESS);
        a.next(8, WcStatus.SUCCESS);
        for (int i = 0; i < 4; i++) {
            b.next(i, WcStatus.SUCCESS);
        }
    }

    @Test
    void eachOperationIsCountedWhetherSignaledOrNot() {
        startCounting(QpType.RC, CompCntrType.WRS);

        talk();
        // in the order of the bits: SEND, RECV, RDMA_READ, REMOTE_RDMA_READ, RDMA_WRITE, REMOTE_RDMA_WRITE
        assertThat(read(atA)).containsExactly(3L, 0L, 2L, 0L, 4L, 0L);
        assertThat(read(atB)).containsExactly(0L, 4L, 0L, 2L, 0L, 4L);
        assertThat(errors(atA)).containsOnly(0L);
        assertThat(errors(atB)).containsOnly(0L);
    }

    @Test
    void bytesOfOperationsAreCounted() {
        startCounting(QpType.RC, CompCntrType.BYTES);

        talk();
        assertThat(read(atA)).containsExactly(5100L, 0L, 4001L, 0L, 3027L, 0L);
        assertThat(read(atB)).containsExactly(0L, 5120L, 0L, 4001L, 0L, 3027L);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "40, 40", "40, 100"})
    void listsOfWritesAreCounted(int requests, int length) {
        makeCounters(QpType.RC, CompCntrType.BYTES);
        CompletionCounter here = atA.get(0);
        CompletionCounter there = atB.get(0);
        a.qp.attachCompCntr(here, CompCntrOps.RDMA_WRITE);
        b.qp.attachCompCntr(there, CompCntrOps.REMOTE_RDMA_WRITE);
        Side.connect(a, b);

        SendWorkRequest list = null;
        for (int i = 0; i < requests; i++) {
            SendWorkRequest wr = a.to(Side.wr(WrOpcode.RDMA_WRITE, i, a.sge(0, length)), b, 0);
            list = wr.sendFlags(list == null ? wr.sendFlags() : 0).next(list);
        }
        a.post(list);
        a.next(0, WcStatus.SUCCESS);
        assertThat(here.read()).isEqualTo((long) requests * length);
        assertThat(there.read()).isEqualTo((long) requests * length);
    }

    @Test
    void failedAndFlushedRequestsAreCountedApart() {
        startCounting(QpType.RC, CompCntrType.BYTES);

        for (int i = 0; i < 3; i++) {
            b.recv(i, 0, 64);
        }
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 5)), b, 0));
        a.next(1, WcStatus.SUCCESS);
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 2, a.sge(0, 50)), b, 0).rkey(b.mr.rkey() + 1));
        a.next(2, WcStatus.REM_ACCESS_ERR);
        a.post(Side.wr(WrOpcode.SEND, 3, a.sge(0, 50)));
        a.next(3, WcStatus.WR_FLUSH_ERR);
        b.qp.modify(new QpAttr().qpState(QpState.ERR));
        for (int i = 0; i < 3; i++) {
            b.next(i, WcStatus.WR_FLUSH_ERR);
        }
        assertThat(read(atA)).containsExactly(0L, 0L, 0L, 0L, 5L, 0L);
        assertThat(errors(atA)).containsExactly(1L, 0L, 0L, 0L, 1L, 0L);
        assertThat(read(atB)).containsExactly(0L, 0L, 0L, 0L, 0L, 5L);
        assertThat(errors(atB)).containsExactly(0L, 3L, 0L, 0L, 0L, 0L);
    }

    @Test
    void unreliableConnectionsAreCounted() {
        startCounting(QpType.UC, CompCntrType.BYTES);

        b.recv(1, 0, 3000);
        b.recv(2, 0, 3000);
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 2000)));
        a.next(1, WcStatus.SUCCESS);
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE_WITH_IMM, 2, a.sge(0, 1500)), b, 5000));
        a.next(2, WcStatus.SUCCESS);
        b.next(1, WcStatus.SUCCESS);
        b.next(2, WcStatus.SUCCESS);
        assertThat(read(atA)).containsExactly(2000L, 0L, 0L, 0L, 1500L, 0L);
        assertThat(read(atB)).containsExactly(0L, 3500L, 0L, 0L, 0L, 1500L);
    }

    @Test
    void datagramsAreCounted() {
        startCounting(QpType.UD, CompCntrType.BYTES);

        b.recv(1, 0, 3000);
        AddressHandle ah = a.opened(a.pd.createAh(a.path(b.gid())));
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 700))
                .ah(ah)
                .remoteQpn(b.qp.qpNum())
                .remoteQkey(Side.QKEY));
        a.next(1, WcStatus.SUCCESS);
        b.next(1, WcStatus.SUCCESS);
        assertThat(read(atA)).containsExactly(700L, 0L, 0L, 0L, 0L, 0L);
        assertThat(read(atB)).containsExactly(0L, 700L + GRH, 0L, 0L, 0L, 0L);
    }

    @Test
    void counterCanServeSeveralOperationsAndQueuePairs() {
        makeCounters(QpType.RC, CompCntrType.WRS);
        CompletionCounter all = atA.get(0);
        a.qp.attachCompCntr(all, CompCntrOps.SEND | CompCntrOps.RDMA_READ);
        a.qp.attachCompCntr(all, CompCntrOps.RDMA_WRITE);
        Side.connect(a, b);
        talk();
        assertThat(all.read()).isEqualTo(3 + 2 + 4);

        QueuePair first = a.qp;
        b.qp.modify(new QpAttr().qpState(QpState.RESET));
        a.createQp();
        a.qp.attachCompCntr(all, CompCntrOps.SEND);
        Side.connect(a, b);
        b.recv(1, 0, 10);
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 10)));
        a.next(1, WcStatus.SUCCESS);
        assertThat(all.read()).isEqualTo(3 + 2 + 4 + 1);
        refused(Errno.EBUSY, "2 queue pairs", all::close);
        first.close();
        refused(Errno.EBUSY, "1 queue pair", all::close);
    }

    @Test
    void countersCanBeSetAndIncremented() {
        makeCounters(QpType.RC, CompCntrType.WRS);
        CompletionCounter counter = atA.get(0);
        a.qp.attachCompCntr(counter, CompCntrOps.SEND);
        Side.connect(a, b);

        counter.set(-1);
        counter.setErr(40);
        b.recv(1, 0, 10);
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 10)));
        a.next(1, WcStatus.SUCCESS);
        assertThat(counter.read()).as("value after wrapping around").isZero();
        counter.inc(5);
        counter.inc(6);
        counter.incErr(2);
        assertThat(counter.read()).isEqualTo(11);
        assertThat(counter.readErr()).isEqualTo(42);
    }

    @Test
    void countingGoesOnAfterReset() {
        makeCounters(QpType.RC, CompCntrType.WRS);
        CompletionCounter counter = atA.get(0);
        a.qp.attachCompCntr(counter, CompCntrOps.SEND);
        for (int round = 1; round <= 2; round++) {
            Side.connect(a, b);
            b.recv(1, 0, 10);
            a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 10)));
            a.next(1, WcStatus.SUCCESS);
            b.next(1, WcStatus.SUCCESS);
            assertThat(counter.read()).isEqualTo(round);
            a.qp.modify(new QpAttr().qpState(QpState.RESET));
            b.qp.modify(new QpAttr().qpState(QpState.RESET));
        }
    }

    @Test
    void capabilitiesAreReported() {
        make(side -> {});
        CompCntrCaps caps = a.context.queryCompCntrCaps();

        assertThat(caps.maxValue()).isEqualTo(-1);
        assertThat(caps.maxCounters()).isEqualTo(1 << 16);
        assertThat(caps.supportedQpAttachOps()).isEqualTo(ALL);
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 6, CompCntrOps.SEND | 1 << 31})
    void unknownOperationsAreRefused(int ops) {
        makeCounters(QpType.RC, CompCntrType.WRS);
        CompletionCounter counter = atA.get(0);

        refused(Errno.EOPNOTSUPP, "which the device does not count", () -> a.qp.attachCompCntr(counter, ops));
        a.qp.attachCompCntr(counter, CompCntrOps.SEND);
    }

    @Test
    void otherTypesAreRefused() {
        make(side -> {});
        CompCntrInitAttr attr = new CompCntrInitAttr().type(2);

        refused(Errno.EOPNOTSUPP, "WRS and BYTES, not unknown (2)", () -> a.context.createCompCntr(attr));
    }

    @Test
    void closedCountersAreRefused() {
        make(side -> {});
        CompletionCounter counter = a.context.createCompCntr(new CompCntrInitAttr());
        counter.close();

        refused(Errno.EINVAL, "read_comp_cntr", counter::read);
        refused(Errno.EINVAL, "read_err_comp_cntr", counter::readErr);
        refused(Errno.EINVAL, "set_comp_cntr", () -> counter.set(1));
        refused(Errno.EINVAL, "set_err_comp_cntr", () -> counter.setErr(1));
        refused(Errno.EINVAL, "inc_comp_cntr", () -> counter.inc(1));
        refused(Errno.EINVAL, "inc_err_comp_cntr", () -> counter.incErr(1));
        refused(Errno.EINVAL, "closed", () -> a.qp.attachCompCntr(counter, 1));
    }
}
