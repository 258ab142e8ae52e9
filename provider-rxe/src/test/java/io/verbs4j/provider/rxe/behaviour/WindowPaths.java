/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;

/** A memory window of type 2 that {@code b} binds and {@code a} uses. */
abstract class WindowPaths extends EachPath {
    static final int RIGHTS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;
    static final int AT = 1000;
    static final int LENGTH = 4000;

    MemoryWindow mw;

    void startWithWindow() {
        start();
        mw = b.opened(b.pd.allocMw(MwType.TYPE_2));
    }

    MwBind part(int access) {
        return new MwBind().mr(b.mr).addr(b.mr.addr() + AT).length(LENGTH).mwAccessFlags(access);
    }

    static SendWorkRequest local(int opcode, long wrId) {
        return Side.wr(opcode, wrId);
    }

    SendWorkRequest bind(long wrId, MwBind bind) {
        return local(WrOpcode.BIND_MW, wrId)
                .mw(mw)
                .mwRkey(MemoryWindow.incRkey(mw.rkey()))
                .mwBind(bind);
    }

    /** Binds successfully; returns the key. */
    int bound(int access) {
        b.post(bind(70, part(access)));
        assertThat(b.next(70, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.BIND_MW);
        return mw.rkey();
    }

    SendWorkRequest through(int opcode, long wrId, int rkey, int offset, int bytes) {
        return Side.wr(opcode, wrId, a.sge(0, bytes))
                .remoteAddr(b.mr.addr() + AT + offset)
                .rkey(rkey);
    }

    SendWorkRequest invalidate(long wrId, int rkey) {
        return local(WrOpcode.LOCAL_INV, wrId).invalidateRkey(rkey);
    }

    SendWorkRequest send(long wrId, int bytes, int rkey) {
        return Side.wr(WrOpcode.SEND_WITH_INV, wrId, a.sge(0, bytes)).invalidateRkey(rkey);
    }

    void works(int rkey) {
        a.post(through(WrOpcode.RDMA_WRITE, 1, rkey, 0, 100));
        a.next(1, WcStatus.SUCCESS);
        b.assertPattern(AT, 1, 0, 100);
    }

    void isRefused(SendWorkRequest wr) {
        a.post(wr);
        a.next(wr.wrId(), WcStatus.REM_ACCESS_ERR);
        b.awaitState(QpState.ERR);
    }

    void reconnect() {
        a.qp.modify(new QpAttr().qpState(QpState.RESET));
        b.qp.modify(new QpAttr().qpState(QpState.RESET));
        Side.connect(a, b);
    }
}
