/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory windows of type 2: how {@code b} binds them, and how {@code a} uses them. */
@WithOneCopy
class WindowsPathsTest extends WindowPaths {
    // ---- access through a window

    @Test
    void windowIsBoundUsedInvalidatedAndBoundAgain() {
        startWithWindow();
        int first = mw.rkey();
        assertThat(mw.type()).isEqualTo(MwType.TYPE_2);
        for (int i = 1; i <= 300; i++) { // more than all values of the low-order byte
            int key = bound(RIGHTS);
            assertThat(key).isEqualTo(first & ~0xff | first + i & 0xff);
            works(key);
            b.post(invalidate(71, key));
            WorkCompletion wc = b.next(71, WcStatus.SUCCESS);
            assertThat(wc.opcode()).isEqualTo(WcOpcode.LOCAL_INV);
            assertThat(mw.rkey()).isEqualTo(key);
        }
        isRefused(through(WrOpcode.RDMA_WRITE, 2, mw.rkey(), 0, 1));
    }

    @Test
    void windowAllowsAllOperations() {
        startWithWindow();
        int key = bound(RIGHTS);
        works(key);
        a.post(through(WrOpcode.RDMA_READ, 2, key, 0, LENGTH));
        a.next(2, WcStatus.SUCCESS);
        a.post(through(WrOpcode.ATOMIC_FETCH_AND_ADD, 3, key, (int) (-(b.mr.addr() + AT) & 7), 8)
                .compareAdd(1));
        a.next(3, WcStatus.SUCCESS);
        a.post(through(WrOpcode.RDMA_WRITE, 4, key, LENGTH - 1, 1));
        a.next(4, WcStatus.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(ints = {WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ, WrOpcode.ATOMIC_FETCH_AND_ADD})
    void accessNeedsRightOfWindow(int opcode) {
        startWithWindow();
        int right = opcode == WrOpcode.RDMA_WRITE
                ? AccessFlags.REMOTE_WRITE
                : opcode == WrOpcode.RDMA_READ ? AccessFlags.REMOTE_READ : AccessFlags.REMOTE_ATOMIC;
        int key = bound(RIGHTS & ~right);
        isRefused(through(opcode, 2, key, (int) (-(b.mr.addr() + AT) & 7), 8));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void accessBeyondWindowFails(int beyond) {
        startWithWindow();
        int key = bound(RIGHTS);
        isRefused(through(WrOpcode.RDMA_WRITE, 2, key, beyond, LENGTH));
    }

    @Test
    void wrongTagOfKeyFails() {
        startWithWindow();
        int key = bound(RIGHTS);
        isRefused(through(WrOpcode.RDMA_WRITE, 2, key ^ 0x80, 0, 1));
    }

    @Test
    void unboundWindowFails() {
        startWithWindow();
        isRefused(through(WrOpcode.RDMA_WRITE, 2, mw.rkey(), 0, 1));
    }

    @Test
    void keyOfEarlierBindFails() {
        startWithWindow();
        int key = bound(RIGHTS);
        b.post(invalidate(71, key));
        b.next(71, WcStatus.SUCCESS);
        works(bound(RIGHTS));
        isRefused(through(WrOpcode.RDMA_WRITE, 2, key, 0, 1));
    }

    @Test
    void otherQueuePairCannotUseWindow() {
        startWithWindow();
        Side c = a.opened(new Side(a.context.device(), BYTES)).create();
        Side d = b.opened(new Side(b.context.device(), BYTES));
        // In b's domain, so that only the queue pair differs.
        d.cq = d.opened(d.context.createCq(16));
        d.qp = b.opened(b.pd.createQp(new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(b.cq)
                .recvCq(b.cq)
                .cap(new QpCap().maxSendWr(4).maxRecvWr(4).maxSendSge(1).maxRecvSge(1))));
        Side.connect(c, d);
        int key = bound(RIGHTS);
        c.post(Side.wr(WrOpcode.RDMA_WRITE, 2, c.sge(0, 1))
                .remoteAddr(b.mr.addr() + AT)
                .rkey(key));
        c.next(2, WcStatus.REM_ACCESS_ERR);
        works(key);
    }

    // ---- binding

    private void fails(MwBind bind) {
        int before = mw.rkey();
        SendWorkRequest after = local(WrOpcode.LOCAL_INV, 6).invalidateRkey(before);
        b.post(bind(5, bind).next(after));
        assertThat(b.next(5, WcStatus.MW_BIND_ERR).opcode()).isEqualTo(WcOpcode.BIND_MW);
        b.next(6, WcStatus.WR_FLUSH_ERR);
        b.awaitState(QpState.ERR);
        assertThat(mw.rkey()).as("rkey after the failed request").isEqualTo(before);
        reconnect();
        works(bound(RIGHTS));
    }

    @Test
    void boundWindowMustBeInvalidatedFirst() {
        startWithWindow();
        int key = bound(RIGHTS);
        b.post(bind(5, part(RIGHTS)));
        b.next(5, WcStatus.MW_BIND_ERR);
        assertThat(mw.rkey()).isEqualTo(key);
    }

    @Test
    void bindOfLengthZeroFails() {
        startWithWindow();
        fails(part(RIGHTS).length(0));
    }

    @Test
    void bindBeyondRegionFails() {
        startWithWindow();
        fails(part(RIGHTS).addr(b.mr.addr() + BYTES - LENGTH + 1));
        fails(part(RIGHTS).addr(b.mr.addr() - 1));
        fails(part(RIGHTS).length(Long.MAX_VALUE));
    }

    @Test
    void bindNeedsRightOfRegion() {
        startWithWindow();
        try (MemoryRegion mr = b.pd.regMr(b.buffer, RIGHTS | AccessFlags.LOCAL_WRITE)) {
            fails(part(RIGHTS).mr(mr));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {AccessFlags.REMOTE_WRITE, AccessFlags.REMOTE_ATOMIC})
    void writableBindNeedsWritableRegion(int right) {
        startWithWindow();
        try (MemoryRegion mr = b.pd.regMr(b.buffer, AccessFlags.MW_BIND)) {
            b.post(bind(5, part(AccessFlags.REMOTE_READ).mr(mr)));
            b.next(5, WcStatus.SUCCESS);
            b.post(invalidate(6, mw.rkey()));
            b.next(6, WcStatus.SUCCESS);
            fails(part(right).mr(mr));
        }
    }

    @Test
    void bindAcrossDomainsFails() {
        startWithWindow();
        try (ProtectionDomain other = b.context.allocPd();
                MemoryRegion mr = other.regMr(b.buffer, Side.ALL_ACCESS);
                MemoryWindow foreign = other.allocMw(MwType.TYPE_2)) {
            fails(part(RIGHTS).mr(mr));
            MemoryWindow own = mw;
            mw = foreign;
            b.post(bind(5, part(RIGHTS).mr(mr)));
            b.next(5, WcStatus.MW_BIND_ERR); // type 2B
            mw = own;
        }
    }

    @Test
    void malformedBindsAreRefused() {
        startWithWindow();
        MemoryWindow first = b.opened(b.pd.allocMw(MwType.TYPE_1));
        MemoryWindow closed = b.pd.allocMw(MwType.TYPE_2);
        closed.close();
        int key = mw.rkey();
        MwBind fine = part(RIGHTS);
        isInvalid(bind(1, fine).mw(null), "mw is null");
        isInvalid(bind(1, fine).mw(first).mwRkey(first.rkey()), "use bindMw");
        isInvalid(bind(1, null), "mwBind is null");
        isInvalid(bind(1, part(RIGHTS).mr(null)), "must name an open region");
        isInvalid(bind(1, fine).mwRkey(key + 0x100), "lowest 8 bits");
        isInvalid(bind(1, part(RIGHTS).length(-1)), "length -1");
        isInvalid(bind(1, part(RIGHTS | AccessFlags.LOCAL_WRITE)), "LOCAL_WRITE");
        isInvalid(bind(1, fine).sgList(b.sge(0, 1)), "has no data");
        isInvalid(invalidate(1, key).sgList(b.sge(0, 1)), "has no data");
        assertThat(b.qp.postSend(bind(1, fine).mw(closed).mwRkey(closed.rkey())))
                .isEqualTo(Errno.EINVAL);
        SendWorkRequest huge = bind(1, part(RIGHTS | AccessFlags.HUGETLB));
        assertThat(b.qp.postSend(huge)).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(b.qp.explain(huge)).contains("HUGETLB");
        assertThat(b.qp.explain(bind(1, fine))).isNull();
        assertThat(mw.rkey()).as("rkey after the refused requests").isEqualTo(key);
        assertThat(b.qp.bindMw(mw, fine)).as("bindMw of a TYPE_2 window").isEqualTo(Errno.EINVAL);
        works(bound(RIGHTS));
    }

    private void isInvalid(SendWorkRequest wr, String why) {
        assertThat(b.qp.postSend(wr)).isEqualTo(Errno.EINVAL);
        assertThat(b.qp.explain(wr)).contains(why);
    }

    /** The new key is sent behind the bind, on the same queue pair, without a completion in between. */
    @Test
    void keyIsValidFromPost() {
        startWithWindow();
        a.recv(9, 5000, 100);
        int before = mw.rkey();
        SendWorkRequest tells = Side.wr(WrOpcode.SEND, 6, b.sge(0, 4));
        b.post(bind(5, part(RIGHTS)).sendFlags(0).next(tells));
        assertThat(mw.rkey()).isEqualTo(MemoryWindow.incRkey(before));
        a.next(9, WcStatus.SUCCESS);
        b.next(6, WcStatus.SUCCESS);
        works(mw.rkey());
    }

    // ---- the end of the region

    @Test
    void regionStaysWhileWindowIsBound() {
        startWithWindow();
        MemoryRegion mr = b.pd.regMr(b.buffer, Side.ALL_ACCESS);
        b.post(bind(5, part(RIGHTS).mr(mr)));
        b.next(5, WcStatus.SUCCESS);
        assertThatThrownBy(mr::close)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
        b.post(invalidate(6, mw.rkey()));
        b.next(6, WcStatus.SUCCESS);
        mr.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"window", "queue pair", "reset"})
    void endOfBindingFreesRegion(String end) {
        startWithWindow();
        MemoryRegion mr = b.pd.regMr(b.buffer, Side.ALL_ACCESS);
        b.post(bind(5, part(RIGHTS).mr(mr)));
        b.next(5, WcStatus.SUCCESS);
        int key = mw.rkey();
        works(key);
        switch (end) {
            case "window" -> mw.close();
            case "queue pair" -> b.qp.close();
            default -> {
                reconnect();
                isRefused(through(WrOpcode.RDMA_WRITE, 2, key, 0, 1));
                reconnect();
                works(bound(RIGHTS));
                b.post(invalidate(6, mw.rkey()));
                b.next(6, WcStatus.SUCCESS);
            }
        }
        mr.close();
        if (end.equals("window")) {
            isRefused(through(WrOpcode.RDMA_WRITE, 2, key, 0, 1));
        }
    }

    // ---- other types

    @Test
    void ucHasWindowsButNoInvalidation() {
        start(side -> side.qpType = QpType.UC);
        mw = b.opened(b.pd.allocMw(MwType.TYPE_2));
        int key = bound(AccessFlags.REMOTE_WRITE);
        b.recv(8, 0, 0);
        a.post(through(WrOpcode.RDMA_WRITE_WITH_IMM, 2, key, 0, 100));
        a.next(2, WcStatus.SUCCESS);
        b.next(8, WcStatus.SUCCESS);
        b.assertPattern(AT, 1, 0, 100);
        assertThat(b.qp.postSend(invalidate(1, key))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(a.qp.postSend(send(1, 1, key))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(b.qp.explain(invalidate(1, key))).contains("LOCAL_INV");
        b.post(bind(5, part(RIGHTS).length(0)));
        b.next(5, WcStatus.MW_BIND_ERR);
        b.awaitState(QpState.SQE);
    }

    @ParameterizedTest
    @ValueSource(ints = {QpType.UD, QpType.XRC_SEND})
    void typesWithoutWindowsRefuseThem(int type) {
        if (type == QpType.UD) {
            start(side -> side.qpType = type);
        } else {
            a = new Side(Verbs.devices().get(0), BYTES);
            b = new Side(a.context.device(), BYTES);
            b.qpType = QpType.XRC_SEND;
            a.qpType = QpType.XRC_RECV;
            a.create();
            b.create();
            Side.connect(a, b);
        }
        mw = b.opened(b.pd.allocMw(MwType.TYPE_2));
        ScatterGatherElement one = b.sge(0, 1);
        assertThat(b.qp.postSend(bind(1, part(RIGHTS)))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(b.qp.postSend(invalidate(1, 1))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(b.qp.postSend(Side.wr(WrOpcode.SEND_WITH_INV, 1, one))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(b.qp.explain(bind(1, part(RIGHTS)))).contains(type == QpType.UD ? "BIND_MW" : "of type RC or UC");
    }
}
