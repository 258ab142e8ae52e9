/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.misuse;

import io.verbs4j.AhAttr;
import io.verbs4j.FastRegister;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpState;
import io.verbs4j.QpStateTable;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import java.util.SplittableRandom;

/** Random arguments, mostly reasonable, often not. Belongs to one thread. */
final class Values {
    private static final int[] NUMBERS = {
        0, 1, 2, 3, 7, 8, 15, 31, 32, 255, 256, 4096, 65535, 65536, -1, Integer.MAX_VALUE, Integer.MIN_VALUE
    };
    private static final int MAX_PIECES = 4;
    private static final int OPERATIONS = WrOpcode.SEND_WITH_INV + 1;
    private static final int[] NEWER = {
        WrOpcode.FLUSH,
        WrOpcode.ATOMIC_WRITE,
        WrOpcode.MASKED_ATOMIC_CMP_AND_SWP,
        WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD,
        WrOpcode.REG_MR,
        WrOpcode.REG_MR,
        WrOpcode.RDMA_READ_WITH_INV,
        WrOpcode.NOP,
        WrOpcode.LOCAL_INV
    };

    private final SplittableRandom random;
    private final Pool pool;

    Values(SplittableRandom random, Pool pool) {
        this.random = random;
        this.pool = pool;
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    /** Returns any number, often one at a limit. */
    int number() {
        return chance(4) ? random.nextInt() : NUMBERS[random.nextInt(NUMBERS.length)];
    }

    /** Returns a small number; rarely any. */
    int small(int bound) {
        return chance(20) ? number() : random.nextInt(bound);
    }

    /** Returns a queue size, never so large that the heap is at risk. */
    int capacity() {
        int n = chance(60) ? number() : random.nextInt(40);
        return n > 2048 && n <= 1 << 22 ? 64 : n;
    }

    long address() {
        return switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> random.nextInt(1 << 16); // the pages that Linux keeps unmapped
            case 2 -> 0x0100_0000_0000_0000L | random.nextLong() >>> 8; // not an address of this machine
            case 3 -> -1L - random.nextInt(1 << 20);
            default -> Long.MIN_VALUE;
        };
    }

    int access() {
        return chance(10) ? number() : chance(3) ? 0x1f : random.nextInt(32);
    }

    Gid gid() {
        return chance(60) ? null : pool.gids.get(random.nextInt(pool.gids.size()));
    }

    AhAttr path() {
        if (chance(60)) {
            return null;
        }
        AhAttr ah = new AhAttr().isGlobal(!chance(30)).portNum(chance(30) ? number() : 1);
        ah.grh().dgid(gid()).sgidIndex(chance(10) ? small(3) : 0).hopLimit(64);
        switch (random.nextInt(40)) {
            case 0 -> ah.grh(null);
            case 1 -> ah.dlid(number());
            case 2 -> ah.sl(number());
            case 3 -> ah.grh().hopLimit(number());
            case 4 -> ah.grh().trafficClass(number());
            case 5 -> ah.grh().flowLabel(number());
            case 6 -> ah.staticRate(number());
            case 7 -> ah.srcPathBits(number());
            default -> {
                // as it is
            }
        }
        return ah;
    }

    QpCap cap() {
        if (chance(60)) {
            return null;
        }
        return new QpCap()
                .maxSendWr(capacity())
                .maxRecvWr(capacity())
                .maxSendSge(capacity() & 7)
                .maxRecvSge(capacity() & 7)
                .maxInlineData(capacity());
    }

    /** Returns attributes for a transition to a state, correct for the type of queue pair. */
    QpAttr towards(QueuePair qp, int from, int to, QueuePair peer, int psn) {
        int needed = QpStateTable.required(qp.qpType(), from, to);
        QpAttr attr = new QpAttr().qpState(to);
        for (int bit = 1; bit != 0 && bit <= needed; bit <<= 1) {
            if ((needed & bit) != 0) {
                set(attr, bit, peer, psn);
            }
        }
        return attr;
    }

    private void set(QpAttr attr, int bit, QueuePair peer, int psn) {
        switch (bit) {
            case QpAttrMask.ACCESS_FLAGS ->
                attr.qpAccessFlags(chance(8) ? random.nextInt(16) : DevicesUnderTest.areNative() ? 0xf : 0x10f);
            case QpAttrMask.PKEY_INDEX -> attr.pkeyIndex(0);
            case QpAttrMask.PORT -> attr.portNum(1);
            case QpAttrMask.QKEY -> attr.qkey(chance(8) ? number() : 77);
            case QpAttrMask.AV -> {
                AhAttr path = path();
                if (path != null && path.grh() != null && peer != null && !chance(8)) {
                    path.grh().dgid(pool.gidOf(peer));
                }
                attr.ahAttr(path);
            }
            case QpAttrMask.PATH_MTU -> attr.pathMtu(1 + random.nextInt(5));
            case QpAttrMask.TIMEOUT -> attr.timeout(random.nextInt(10));
            case QpAttrMask.RETRY_CNT -> attr.retryCnt(random.nextInt(8));
            case QpAttrMask.RNR_RETRY -> attr.rnrRetry(random.nextInt(8));
            case QpAttrMask.RQ_PSN -> attr.rqPsn(psn);
            case QpAttrMask.SQ_PSN -> attr.sqPsn(psn);
            case QpAttrMask.MAX_QP_RD_ATOMIC -> attr.maxRdAtomic(random.nextInt(4));
            case QpAttrMask.MAX_DEST_RD_ATOMIC -> attr.maxDestRdAtomic(random.nextInt(4));
            case QpAttrMask.MIN_RNR_TIMER -> attr.minRnrTimer(1 + random.nextInt(8));
            case QpAttrMask.DEST_QPN -> attr.destQpNum(peer == null ? number() : peer.qpNum());
            default -> {
                // not needed for any transition
            }
        }
    }

    /** Changes one attribute to any value. */
    QpAttr spoil(QpAttr attr) {
        return switch (random.nextInt(22)) {
            case 0 -> attr.qpState(small(8));
            case 1 -> attr.curQpState(small(8));
            case 2 -> attr.pathMtu(small(8));
            case 3 -> attr.pathMigState(small(4));
            case 4 -> attr.qkey(number());
            case 5 -> attr.rqPsn(number());
            case 6 -> attr.sqPsn(number());
            case 7 -> attr.destQpNum(number());
            case 8 -> attr.qpAccessFlags(number());
            case 9 -> attr.cap(cap());
            case 10 -> attr.ahAttr(path());
            case 11 -> attr.altAhAttr(path()).altPortNum(small(3)).altTimeout(small(32));
            case 12 -> attr.pkeyIndex(small(2));
            case 13 -> attr.enSqdAsyncNotify(true);
            case 14 -> attr.maxRdAtomic(number());
            case 15 -> attr.maxDestRdAtomic(number());
            case 16 -> attr.minRnrTimer(number());
            case 17 -> attr.portNum(number());
            case 18 -> attr.timeout(small(32));
            case 19 -> attr.retryCnt(number());
            case 20 -> attr.rnrRetry(number());
            default -> attr.clearMask();
        };
    }

    // ---- work requests

    private ScatterGatherElement piece(ProtectionDomain pd) {
        if (chance(60)) {
            return null;
        }
        MemoryRegion mr = pool.mrs.any(random, region -> region.pd() == pd);
        ScatterGatherElement piece = new ScatterGatherElement();
        if (mr == null || chance(25)) {
            return piece.addr(address()).length(small(5000)).lkey(number());
        }
        int most = (int) Math.min(mr.length(), chance(4) ? GuardedMemory.SIZE : 3000);
        int length = random.nextInt(most + 1);
        piece.addr(mr.addr() + random.nextLong(Math.max(1, mr.length() - length + 1)))
                .length(length)
                .lkey(mr.lkey());
        switch (random.nextInt(40)) {
            case 0 -> piece.length(number());
            case 1 -> piece.addr(mr.addr() + mr.length() - 1);
            case 2 -> piece.addr(mr.addr() - 1);
            case 3 -> piece.lkey(mr.rkey());
            default -> {
                // as it is
            }
        }
        return piece;
    }

    private ScatterGatherElement[] pieces(ProtectionDomain pd) {
        ScatterGatherElement[] list = new ScatterGatherElement[chance(3) ? small(MAX_PIECES + 1) & 7 : 1];
        for (int i = 0; i < list.length; i++) {
            list[i] = piece(pd);
        }
        return list;
    }

    RecvWorkRequest receive(ProtectionDomain pd, int listLength) {
        RecvWorkRequest wr = new RecvWorkRequest().wrId(random.nextLong());
        ScatterGatherElement[] list = chance(80) ? null : pieces(pd);
        wr.sgList(list, chance(40) ? number() : list == null ? small(2) : list.length);
        if (listLength > 0 && chance(4)) {
            wr.next(chance(20) ? wr : receive(pd, listLength - 1)); // a circular list has no end
        }
        return wr;
    }

    OpsWorkRequest operation(ProtectionDomain pd, int listLength) {
        ScatterGatherElement[] list = chance(80) ? null : pieces(pd);
        OpsWorkRequest wr = new OpsWorkRequest()
                .wrId(random.nextLong())
                .opcode(chance(30) ? number() : random.nextInt(3))
                .flags(chance(30) ? number() : random.nextInt(4))
                .unexpectedCnt(chance(4) ? number() : random.nextInt(8))
                .handle(chance(4) ? number() : random.nextInt(8))
                .recvWrId(random.nextLong())
                .tag(random.nextInt(4))
                .mask(random.nextInt(4))
                .sgList(list, chance(40) ? number() : list == null ? small(2) : list.length);
        if (listLength > 0 && chance(4)) {
            wr.next(chance(20) ? wr : operation(pd, listLength - 1));
        }
        return wr;
    }

    SendWorkRequest send(QueuePair qp, int listLength) {
        SendWorkRequest wr = fill(qp, new SendWorkRequest());
        if (listLength > 0 && chance(4)) {
            wr.next(chance(20) ? wr : send(qp, listLength - 1));
        }
        return wr;
    }

    SendWorkRequest fill(QueuePair qp, SendWorkRequest wr) {
        ScatterGatherElement[] list = chance(80) ? null : pieces(qp.pd());
        boolean datagram = qp.qpType() == QpType.UD && !chance(20);
        wr.wrId(random.nextLong())
                .opcode(chance(30) ? number() : datagram ? 2 + random.nextInt(2) : random.nextInt(OPERATIONS))
                .sendFlags(chance(30) ? number() : random.nextInt(16) & (chance(3) ? 15 : 7))
                .immData(random.nextInt())
                .compareAdd(random.nextLong(4))
                .swap(random.nextLong(4))
                .sgList(list, chance(40) ? number() : list == null ? small(2) : list.length);
        MemoryRegion there = pool.mrs.any(random);
        MemoryWindow window = pool.mws.any(random);
        if (there == null || chance(20)) {
            wr.remoteAddr(address()).rkey(number());
        } else {
            long offset = there.length() == 0 ? 0 : random.nextLong(there.length());
            wr.remoteAddr(there.addr() + (chance(2) ? 0 : offset))
                    .rkey(window != null && chance(3) ? window.rkey() : there.rkey());
            if (wr.opcode() > 4 && !chance(8)) {
                wr.remoteAddr(wr.remoteAddr() + 7 & ~7L);
            }
        }
        if (DevicesUnderTest.areNative()) {
            if (wr.opcode() >= WrOpcode.LOCAL_INV && wr.opcode() <= WrOpcode.SEND_WITH_INV) {
                wr.opcode(WrOpcode.SEND); // the kernel's device crashes when a free window is invalidated
            }
        } else {
            windows(qp, wr, there, window);
            if (chance(3) && qp.qpType() != QpType.UD) {
                newer(qp, wr);
            }
        }
        QueuePair to = pool.qps.any(random);
        return wr.ah(pool.ahs.any(random, ah -> ah.pd() == qp.pd()))
                .remoteQpn(to == null || chance(20) ? number() : to.qpNum())
                .remoteQkey(chance(10) ? number() : 77);
    }

    /** One of the operations of level 3. */
    private void newer(QueuePair qp, SendWorkRequest wr) {
        MemoryRegion key = pool.mrs.any(random, region -> region.pd() == qp.pd());
        int number = key == null || chance(20) ? number() : key.lkey();
        wr.opcode(NEWER[random.nextInt(NEWER.length)])
                .compareAddMask(random.nextLong())
                .swapMask(random.nextLong())
                .atomicWidth(chance(8) ? number() : random.nextInt(3) * 4)
                .atomicWriteValue(random.nextLong())
                .flushType(chance(8) ? number() : 1)
                .flushLevel(chance(8) ? number() : random.nextInt(2))
                .flushLength(chance(8) ? address() : random.nextInt(4096))
                .fastRegister(
                        chance(30)
                                ? null
                                : new FastRegister()
                                        .mr(key)
                                        .key(chance(20) ? number : MemoryWindow.incRkey(number))
                                        .addr(address())
                                        .access(chance(8) ? access() : 0xf));
        boolean empty =
                wr.opcode() == WrOpcode.FLUSH || wr.opcode() == WrOpcode.ATOMIC_WRITE || wr.opcode() == WrOpcode.NOP;
        if (empty && !chance(10)) {
            wr.sgList(wr.sgList(), 0);
        }
        if (key != null && chance(2)) {
            wr.invalidateRkey(key.lkey());
        }
    }

    private void windows(QueuePair qp, SendWorkRequest wr, MemoryRegion there, MemoryWindow any) {
        MemoryWindow own = pool.mws.any(random, w -> w.pd() == qp.pd() && w.type() == MwType.TYPE_2);
        MemoryWindow window = own == null || chance(20) ? any : own;
        MemoryRegion mr = chance(20) ? there : pool.mrs.any(random, region -> region.pd() == qp.pd());
        int key = window == null || chance(40) ? number() : window.rkey();
        wr.invalidateRkey(key)
                .mw(window)
                .mwRkey(chance(20) ? key : MemoryWindow.incRkey(key))
                .mwBind(
                        chance(40)
                                ? null
                                : new MwBind()
                                        .mr(mr)
                                        .mwAccessFlags(chance(20) ? number() : random.nextInt(8) << 1)
                                        .addr(mr == null || chance(20) ? address() : mr.addr())
                                        .length(
                                                mr == null || chance(20)
                                                        ? number()
                                                        : random.nextLong(mr.length() + 1)));
        if (!chance(10) && (wr.opcode() == WrOpcode.LOCAL_INV || wr.opcode() == WrOpcode.BIND_MW)) {
            wr.sgList(wr.sgList(), 0);
        }
    }

    /** Returns a state of a queue pair, more often one that leads to a working one. */
    int state() {
        return random.nextInt(QpState.ERR + 1);
    }
}
