/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpState;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;

/** A memory window of type 2. See {@link WindowRules}. */
final class WindowRig extends Rig {
    static final String PAGE = "ibv_post_send(3) (IBV_WR_BIND_MW, IBV_WR_LOCAL_INV), ibv_bind_mw(3)";
    static final int AT = 1000;
    static final int LENGTH = 100;
    static final int WRITES = AccessFlags.REMOTE_WRITE;

    MemoryWindow mw;

    WindowRig(ProviderKit kit) {
        super(kit);
    }

    void startWithWindow() {
        start();
        mw = opened(b.pd.allocMw(MwType.TYPE_2));
    }

    MwBind part(int rights) {
        return new MwBind().mr(b.mr).addr(b.mr.addr() + AT).length(LENGTH).mwAccessFlags(rights);
    }

    SendWorkRequest bind(long wrId, int key, MwBind what) {
        return b.wr(WrOpcode.BIND_MW, wrId).mw(mw).mwRkey(key).mwBind(what);
    }

    SendWorkRequest invalidate(long wrId, int key) {
        return b.wr(WrOpcode.LOCAL_INV, wrId).invalidateRkey(key);
    }

    int nextKey() {
        return MemoryWindow.incRkey(mw.rkey());
    }

    /** Binds the window, which must succeed; returns the key. */
    int bound(int rights) {
        int key = nextKey();
        b.post(bind(50, key, part(rights)));
        Seen.equal("the window's key once a bind is posted", Integer.toHexString(key), Integer.toHexString(mw.rkey()));
        WorkCompletion wc = b.next(50, WcStatus.SUCCESS);
        Seen.equal("the opcode of the completion of BIND_MW", opcode(WcOpcode.BIND_MW), opcode(wc.opcode()));
        return key;
    }

    static String opcode(int value) {
        return WcOpcode.toString(value);
    }

    void takenBack(int key) {
        b.post(invalidate(51, key));
        WorkCompletion wc = b.next(51, WcStatus.SUCCESS);
        Seen.equal("the opcode of the completion of LOCAL_INV", opcode(WcOpcode.LOCAL_INV), opcode(wc.opcode()));
    }

    SendWorkRequest write(long wrId, int key, int offset, int length) {
        return a.wr(WrOpcode.RDMA_WRITE, wrId, a.sge(0, length))
                .remoteAddr(b.mr.addr() + AT + offset)
                .rkey(key);
    }

    void works(long wrId, int key) {
        a.post(write(wrId, key, 0, LENGTH));
        a.next(wrId, WcStatus.SUCCESS);
        b.memory.holds(AT, a.memory, 0, LENGTH);
    }

    void fails(SendWorkRequest wr) {
        a.post(wr);
        a.next(wr.wrId(), WcStatus.REM_ACCESS_ERR);
        b.awaitState(QpState.ERR);
        connectAnew();
    }

    void connectAnew() {
        a.qp = a.anotherQp();
        b.qp = b.anotherQp();
        Side.connect(a, b);
    }

    void refused(String what, SendWorkRequest wr) {
        Seen.errno("postSend of " + what, Errno.EINVAL, b.qp.postSend(wr));
    }

    /** Posts a bind that must fail: at the post or in its completion. */
    void bindFails(String what, int keyBefore, MwBind bind) {
        int errno = b.qp.postSend(bind(9, nextKey(), bind));
        if (errno == 0) {
            WorkCompletion wc = b.next();
            Seen.equal(
                    "the status of " + what, WcStatus.toString(WcStatus.MW_BIND_ERR), WcStatus.toString(wc.status()));
            b.awaitState(QpState.ERR);
            connectAnew();
        } else {
            Seen.errno("postSend of " + what, Errno.EINVAL, errno);
        }
        Seen.equal("the window's key after " + what, keyBefore, mw.rkey());
    }

    void notTakenBack(String what, int key) {
        int errno = b.qp.postSend(invalidate(8, key));
        if (errno == 0) {
            WorkCompletion wc = b.next();
            boolean told = wc.status() == WcStatus.LOC_QP_OP_ERR || wc.status() == WcStatus.MW_BIND_ERR;
            Seen.check(told, "the status of " + what + " is " + WcStatus.toString(wc.status()));
            b.awaitState(QpState.ERR);
            connectAnew();
        } else {
            Seen.errno("postSend of " + what, Errno.EINVAL, errno);
        }
        another(); // devices differ in whether the old one stays bound
    }

    void another() {
        mw.close();
        mw = opened(b.pd.allocMw(MwType.TYPE_2));
    }

    /** Binds, invalidates and binds again, with other requests between. */
    void inTurn(int fence) {
        int first = nextKey();
        int second = MemoryWindow.incRkey(first);
        SendWorkRequest list = b.to(a, 4000, b.wr(WrOpcode.RDMA_WRITE, 14, b.sge(0, 1000)));
        list = bind(13, second, part(WRITES)).next(list);
        list = invalidate(12, first).sendFlags(SendFlags.SIGNALED | fence).next(list);
        list = b.to(a, 4000, b.wr(WrOpcode.RDMA_WRITE, 11, b.sge(0, 1000))).next(list);
        b.post(bind(10, first, part(WRITES)).next(list));
        for (int wrId = 10; wrId <= 14; wrId++) {
            b.next(wrId, WcStatus.SUCCESS);
        }
        Seen.equal("the window's key", second, mw.rkey());
    }
}
