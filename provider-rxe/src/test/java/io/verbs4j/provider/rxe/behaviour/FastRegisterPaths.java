/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.FastRegister;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;

/** A key that {@code b} maps by work requests and {@code a} uses. */
abstract class FastRegisterPaths extends EachPath {
    static final int RIGHTS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.FLUSH_GLOBAL;

    /** The address of the key's first byte for its users: not the address of any memory. */
    static final long BASE = 0x7000_1234_5000L;

    /** Offsets and lengths of pieces in b's buffer: of any size and alignment, and unordered. */
    static final int[][] PIECES = {{50_001, 3}, {7, 1000}, {90_000, 1}, {20_000, 4097}, {60_003, 2222}, {1100, 1}};

    static final int LENGTH = 3 + 1000 + 1 + 4097 + 2222 + 1;

    MemoryRegion key;

    void startWithKey() {
        start(side -> {
            side.access |= AccessFlags.FLUSH_GLOBAL;
            side.cqe = 1024;
        });
        key = b.opened(b.pd.allocMrKey(new MrKeyInitAttr().maxEntries(16)));
    }

    static ScatterGatherElement[] pieces(Side side) {
        ScatterGatherElement[] list = new ScatterGatherElement[PIECES.length];
        for (int i = 0; i < list.length; i++) {
            list[i] = side.sge(PIECES[i][0], PIECES[i][1]);
        }
        return list;
    }

    /** Returns the index in b's buffer of a byte behind the key. */
    static int at(int offset) {
        for (int[] piece : PIECES) {
            if (offset < piece[1]) {
                return piece[0] + offset;
            }
            offset -= piece[1];
        }
        throw new AssertionError();
    }

    static ScatterGatherElement element(long addr, int length, int lkey) {
        return new ScatterGatherElement().addr(addr).length(length).lkey(lkey);
    }

    SendWorkRequest register(long wrId, int access, ScatterGatherElement... list) {
        return Side.wr(WrOpcode.REG_MR, wrId, list)
                .fastRegister(new FastRegister()
                        .mr(key)
                        .key(MemoryWindow.incRkey(key.rkey()))
                        .addr(BASE)
                        .access(access));
    }

    /** Registers successfully; returns the key. */
    int registered(int access) {
        b.post(register(70, access, pieces(b)));
        assertThat(b.next(70, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.REG_MR);
        return key.rkey();
    }

    static SendWorkRequest invalidate(long wrId, int rkey) {
        return Side.wr(WrOpcode.LOCAL_INV, wrId).invalidateRkey(rkey);
    }

    SendWorkRequest through(int opcode, long wrId, int rkey, int offset, int bytes) {
        return Side.wr(opcode, wrId, a.sge(0, bytes)).remoteAddr(BASE + offset).rkey(rkey);
    }

    void works(int rkey) {
        a.post(through(WrOpcode.RDMA_WRITE, 1, rkey, 0, LENGTH));
        a.next(1, WcStatus.SUCCESS);
        for (int i = 0; i < LENGTH; i++) {
            assertThat(b.buffer.get(at(i))).isEqualTo(Side.pattern(1, i));
        }
    }

    void isRefused(SendWorkRequest wr, int status) {
        a.post(wr);
        a.next(wr.wrId(), status);
        b.awaitState(QpState.ERR);
    }

    void reconnect() {
        a.qp.modify(new QpAttr().qpState(QpState.RESET));
        b.qp.modify(new QpAttr().qpState(QpState.RESET));
        Side.connect(a, b);
    }

    /** The preceding atomic write goes to memory at a multiple of 4: it is refused, and the next request is flushed. */
    void isRefused(SendWorkRequest flushed, long wrId, int rkey) {
        a.post(flushed);
        a.next(wrId, WcStatus.REM_INV_REQ_ERR);
        a.next(flushed.wrId(), WcStatus.WR_FLUSH_ERR);
        b.awaitState(QpState.ERR);
        assertThat(key.rkey()).isEqualTo(rkey);
    }

    void isInvalid(SendWorkRequest wr, int errno, String why) {
        assertThat(b.qp.postSend(wr)).as(why).isEqualTo(errno);
        assertThat(b.qp.explain(wr)).contains(why);
    }
}
