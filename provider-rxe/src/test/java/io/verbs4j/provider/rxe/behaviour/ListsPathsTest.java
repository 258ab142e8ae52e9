/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttr;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of RDMA writes, several of which a device may carry out at once: each behaves as if posted alone. */
@WithOneCopy
class ListsPathsTest extends EachPath {
    /** More than are carried out together, but less than a queue holds. */
    private static final int MANY = 60;

    private static final int SIZE = 100;

    private static SendWorkRequest list(int count, IntFunction<SendWorkRequest> each) {
        SendWorkRequest list = null;
        for (int i = count - 1; i >= 0; i--) {
            list = each.apply(i).next(list);
        }
        return list;
    }

    /** Request i: from i * SIZE locally to twice that offset at the peer. */
    private SendWorkRequest write(int i) {
        return write(i, a.mr, b.mr);
    }

    private SendWorkRequest write(int i, MemoryRegion from, MemoryRegion to) {
        return Side.wr(WrOpcode.RDMA_WRITE, i, ScatterGatherElement.of(from, (long) i * SIZE, SIZE))
                .remoteAddr(to.addr() + 2L * i * SIZE)
                .rkey(to.rkey());
    }

    private void assertWritten(int i) {
        b.assertPattern(2 * i * SIZE, 1, i * SIZE, SIZE);
        b.assertPattern((2 * i + 1) * SIZE, 2, (2 * i + 1) * SIZE, SIZE);
    }

    private void assertUntouched(int i) {
        b.assertPattern(2 * i * SIZE, 2, 2 * i * SIZE, 2 * SIZE);
    }

    /** One request of another kind, at any position: later requests wait for it. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 31, 32, 33, MANY - 1})
    void otherKindInListKeepsOrder(int other) {
        start();
        a.post(list(
                MANY,
                i -> i == other ? a.to(Side.wr(WrOpcode.RDMA_READ, i, a.sge(500_000, 10)), b, 900_000) : write(i)));
        for (int i = 0; i < MANY; i++) {
            a.next(i, WcStatus.SUCCESS);
            if (i != other) {
                assertWritten(i);
            }
        }
        a.post(write(MANY)); // both ends have the same count
        a.next(MANY, WcStatus.SUCCESS);
        assertWritten(MANY);
    }

    /** Unsignaled requests are executed but do not complete. */
    @Test
    void onlySignaledRequestCompletes() {
        start();
        a.post(list(MANY, i -> write(i).sendFlags(i == MANY - 1 ? SendFlags.SIGNALED : 0)));
        a.next(MANY - 1, WcStatus.SUCCESS);
        for (int i = 0; i < MANY; i++) {
            assertWritten(i);
        }
        assertThat(a.rest(0)).isEmpty();
    }

    /** Messages of several packets, some MiB in total. */
    @Test
    void largeWritesArrive() {
        start(s -> s.mtu = Mtu.MTU_256);
        int size = 100_000;
        a.post(list(8, i -> a.to(Side.wr(WrOpcode.RDMA_WRITE, i, a.sge(i * 10, size)), b, i * size)));
        for (int i = 0; i < 8; i++) {
            a.next(i, WcStatus.SUCCESS);
            b.assertPattern(i * size, 1, i * 10, size);
        }
    }

    /** Each request uses the keys it names, at either end. */
    @Test
    void keysMayChangeWithinList() {
        start();
        try (MemoryRegion from = a.pd.regMr(a.buffer, Side.ALL_ACCESS);
                MemoryRegion to = b.pd.regMr(b.buffer, Side.ALL_ACCESS)) {
            a.post(list(MANY, i -> write(i, (i & 1) == 0 ? a.mr : from, (i & 2) == 0 ? b.mr : to)));
            for (int i = 0; i < MANY; i++) {
                a.next(i, WcStatus.SUCCESS);
                assertWritten(i);
            }
        }
    }

    /** A wrong key, range or right in the middle: earlier requests are executed, later ones are not. */
    @ParameterizedTest
    @CsvSource({"5, key", "40, key", "5, range", "40, range", "5, right", "40, ended", "0, ended"})
    void refusedWriteFlushesLaterOnes(int at, String what) {
        start();
        try (MemoryRegion readable = b.pd.regMr(b.buffer, AccessFlags.REMOTE_READ)) {
            MemoryRegion ended = b.pd.regMr(b.buffer, Side.ALL_ACCESS);
            a.post(write(MANY, a.mr, ended));
            a.next(MANY, WcStatus.SUCCESS);
            int gone = ended.rkey();
            ended.close();
            a.post(list(MANY, i -> {
                SendWorkRequest wr = write(i);
                if (i == at) {
                    switch (what) {
                        case "key" -> wr.rkey(b.mr.rkey() ^ 0x5a5a00);
                        case "range" -> wr.remoteAddr(b.mr.addr() + BYTES - SIZE + 1);
                        case "right" -> wr.rkey(readable.rkey());
                        default -> wr.rkey(gone);
                    }
                }
                return wr;
            }));
            for (int i = 0; i < MANY; i++) {
                a.next(i, i < at ? WcStatus.SUCCESS : i == at ? WcStatus.REM_ACCESS_ERR : WcStatus.WR_FLUSH_ERR);
            }
            for (int i = 0; i < MANY; i++) {
                if (i < at) {
                    assertWritten(i);
                } else {
                    assertUntouched(i);
                }
            }
        }
    }

    /** An unknown flag is refused, whatever the device would do with the request. */
    @Test
    void unknownFlagIsRefused() {
        start();
        SendWorkRequest[] bad = new SendWorkRequest[1];
        int unknown = SendFlags.SIGNALED | 1 << 30;
        assertThat(a.qp.postSend(list(3, i -> write(i).sendFlags(i == 1 ? unknown : SendFlags.SIGNALED)), bad))
                .isEqualTo(Errno.EOPNOTSUPP);
        assertThat(bad[0].wrId()).isEqualTo(1);
        a.next(0, WcStatus.SUCCESS);
        assertWritten(0);
        assertUntouched(1);
        assertThat(a.rest(0)).isEmpty();
    }

    /** Keys cannot grant what the peer's queue pair does not allow. */
    @Test
    void rightsOfQueuePairApply() {
        start();
        a.post(write(0));
        a.next(0, WcStatus.SUCCESS);
        b.qp.modify(new QpAttr().qpAccessFlags(AccessFlags.REMOTE_READ));
        a.post(list(3, i -> write(1 + i)));
        a.next(1, WcStatus.REM_INV_REQ_ERR);
        a.next(2, WcStatus.WR_FLUSH_ERR);
        a.next(3, WcStatus.WR_FLUSH_ERR);
        assertUntouched(1);
    }

    /** A key or a range that may not be read locally. */
    @ParameterizedTest
    @CsvSource({"5, key", "40, range", "40, ended", "0, ended"})
    void unreadableMemoryFailsWrite(int at, String what) {
        start();
        MemoryRegion ended = a.pd.regMr(a.buffer, Side.ALL_ACCESS);
        a.post(write(MANY, ended, b.mr));
        a.next(MANY, WcStatus.SUCCESS);
        int gone = ended.lkey();
        ended.close();
        a.post(list(MANY, i -> {
            SendWorkRequest wr = write(i);
            if (i == at) {
                switch (what) {
                    case "key" -> wr.sgList()[0].lkey(a.mr.lkey() ^ 0x5a5a00);
                    case "range" -> wr.sgList()[0].addr(a.mr.addr() + BYTES - SIZE + 1);
                    default -> wr.sgList()[0].lkey(gone);
                }
            }
            return wr;
        }));
        for (int i = 0; i < MANY; i++) {
            a.next(i, i < at ? WcStatus.SUCCESS : i == at ? WcStatus.LOC_PROT_ERR : WcStatus.WR_FLUSH_ERR);
        }
        for (int i = at; i < MANY; i++) {
            assertUntouched(i);
        }
    }

    /** A list has no more room than the queue, however fast its requests are. */
    @Test
    void tooLongListReportsFirstThatDidNotFit() {
        start(s -> s.maxWr = 40);
        QpInitAttr told = new QpInitAttr();
        a.qp.query(new QpAttr(), 0, told);
        int room = told.cap().maxSendWr();
        SendWorkRequest[] bad = new SendWorkRequest[1];
        assertThat(a.qp.postSend(list(room + 5, this::write), bad)).isEqualTo(Errno.ENOMEM);
        assertThat(bad[0].wrId()).isEqualTo(room);
        for (int i = 0; i < room; i++) {
            a.next(i, WcStatus.SUCCESS);
            assertWritten(i);
        }
        assertUntouched(room);
        assertThat(a.rest(0)).isEmpty();
    }
}
