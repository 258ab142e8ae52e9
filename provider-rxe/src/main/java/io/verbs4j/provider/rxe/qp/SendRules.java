/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.MwBind;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.memory.KeyMemory;
import io.verbs4j.provider.rxe.memory.MemoryKey;
import io.verbs4j.provider.rxe.memory.RxeMemoryWindow;
import io.verbs4j.provider.rxe.memory.RxeMr;
import io.verbs4j.provider.rxe.queue.CrossRequest;
import io.verbs4j.provider.rxe.queue.FastRegistration;
import io.verbs4j.provider.rxe.queue.RxeSharedReceiveQueue;
import io.verbs4j.provider.rxe.queue.SendWqe;
import io.verbs4j.provider.rxe.queue.WindowBind;

/** Explains in words the device's own posting rules, for which {@link RxeQp#postSend} returns an errno. */
public final class SendRules {
    /** The basic operations that count against maxRdAtomic. */
    private static final long ANSWERED =
            QpCreateSendOps.RDMA_READ | QpCreateSendOps.ATOMIC_CMP_AND_SWP | QpCreateSendOps.ATOMIC_FETCH_AND_ADD;

    private SendRules() {}

    /** Returns the rule that a request breaks which passed the library's checks, or null if it breaks none. */
    public static String broken(RxeQp qp, SendWorkRequest wr) {
        if (CrossRequest.isOne(wr.opcode())) {
            return cross(qp, wr);
        }
        if (!SendOps.isAmong(qp.sendOps(), wr.opcode())) {
            return operation(qp, wr.opcode());
        }
        String flags = flags(wr);
        if (flags != null) {
            return flags;
        }
        if ((QpCreateSendOps.of(wr.opcode()) & SendWqe.LOCAL_OPS) != 0) {
            return local(qp, wr);
        }
        if (wr.opcode() == WrOpcode.FLUSH && (wr.sendFlags() & SendFlags.INLINE) != 0) {
            return "INLINE needs data to send, but FLUSH has none: leave the flag out";
        }
        String data = data(qp, wr, size(wr));
        return data != null || (wr.sendFlags() & SendFlags.INLINE) == 0 ? data : inline(qp, wr);
    }

    private static long size(SendWorkRequest wr) {
        long size = 0;
        for (int i = 0; i < wr.numSge(); i++) {
            size += wr.sgList()[i].length();
        }
        return size;
    }

    private static String data(RxeQp qp, SendWorkRequest wr, long size) {
        int opcode = wr.opcode();
        boolean atomic = opcode == WrOpcode.ATOMIC_CMP_AND_SWP || opcode == WrOpcode.ATOMIC_FETCH_AND_ADD;
        if (atomic && size != Long.BYTES) {
            return "an atomic fetches " + Long.BYTES + " bytes, but sgList has room for " + size;
        }
        if (atomic && (wr.remoteAddr() & Long.BYTES - 1) != 0) {
            return "remoteAddr 0x" + Long.toHexString(wr.remoteAddr()) + " of an atomic is not a multiple of "
                    + Long.BYTES;
        }
        if ((atomic || opcode == WrOpcode.RDMA_READ) && (wr.sendFlags() & SendFlags.INLINE) != 0) {
            return "INLINE needs data to send, but " + WrOpcode.toString(opcode) + " has none: leave the flag out";
        }
        boolean counts = (QpCreateSendOps.of(opcode) & ANSWERED) != 0
                || QpCreateSendOps.of(opcode) >= QpCreateSendOps.FLUSH && opcode != WrOpcode.FLUSH;
        if (counts && qp.settings().maxRdAtomic() == 0) {
            return "maxRdAtomic is 0, so " + WrOpcode.toString(opcode)
                    + " can't be sent; modify to RTS with at least 1";
        }
        if (qp.qpType() == QpType.XRC_SEND && wr.remoteSrqn() >>> 24 != 0) {
            return "remoteSrqn is 0x" + Integer.toHexString(wr.remoteSrqn()) + "; it has 24 bits";
        }
        if (qp.qpType() == QpType.UD && wr.ah() instanceof RxeAddressHandle ah && size > ah.av.maxPayload()) {
            return "the datagram has " + size + " bytes, but the interface of the address handle's GID carries at most "
                    + ah.av.maxPayload() + "; split it";
        }
        return size > RxeQp.MAX_MESSAGE
                ? "the message has " + size + " bytes, but the port takes at most " + RxeQp.MAX_MESSAGE + "; split it"
                : null;
    }

    private static String flags(SendWorkRequest wr) {
        int unknown = wr.sendFlags() & ~SendOps.FLAGS;
        return unknown == 0
                ? null
                : "sendFlags has " + SendFlags.toString(unknown) + ", which the device does not support; leave it out";
    }

    private static String operation(RxeQp qp, int opcode) {
        return SendOps.isAmong(SendOps.of(qp.qpType()), opcode)
                ? "opcode is " + WrOpcode.toString(opcode) + ", but the queue pair was created for "
                        + QpCreateSendOps.toString(qp.sendOps()) + " only; add it to sendOpsFlags"
                : "opcode is " + WrOpcode.toString(opcode) + ", which the device does not support";
    }

    private static String cross(RxeQp qp, SendWorkRequest wr) {
        String name = WrOpcode.toString(wr.opcode());
        if (!qp.mayCross() || (qp.sendOps() & CrossChannel.operation(wr.opcode())) == 0) {
            return "opcode is " + name + ", which needs a queue pair of type RC, UC or UD created with CROSS_CHANNEL"
                    + " in createFlags, and with the operation in sendOpsFlags if those are set";
        }
        String flags = flags(wr);
        if (flags != null) {
            return flags;
        }
        if (wr.numSge() != 0) {
            return name + " has no data; leave sgList out";
        }
        boolean there = qp.crossChannel().hasWhatItNames(wr);
        if (wr.opcode() == WrOpcode.CQE_WAIT) {
            if (wr.waitCount() < 1) {
                return "waitCount is " + wr.waitCount() + "; wait for at least 1 completion";
            }
            return there ? null : "waitCq must be an open completion queue of this device";
        }
        if (wr.waitCount() < 0) {
            return "waitCount is " + wr.waitCount() + "; 0 means all posted requests";
        }
        return there
                ? null
                : "enableQp must be an open queue pair of this device, created with "
                        + (wr.opcode() == WrOpcode.SEND_ENABLE ? "MANAGED_SEND" : "MANAGED_RECV");
    }

    private static String local(RxeQp qp, SendWorkRequest wr) {
        if (wr.opcode() == WrOpcode.REG_MR) {
            return FastRegistration.broken(wr);
        }
        if (wr.numSge() != 0) {
            return WrOpcode.toString(wr.opcode()) + " has no data; leave sgList out";
        }
        return wr.opcode() == WrOpcode.BIND_MW ? bind(qp, wr) : null;
    }

    private static String bind(RxeQp qp, SendWorkRequest wr) {
        if (!SendOps.bindsByRequest(qp.qpType())) {
            return "windows of TYPE_2 need a queue pair of type RC or UC; peers can't access memory through this one";
        }
        if (!(wr.mw() instanceof RxeMemoryWindow window) || window.qpWindow == null) {
            return "mw must be a window of TYPE_2 of this device; use bindMw for windows of TYPE_1";
        }
        MwBind bind = wr.mwBind();
        if (bind == null || RxeMr.find(bind.mr()) == null) {
            return "mwBind must name an open region of this device; use LOCAL_INV to unbind";
        }
        if ((wr.mwRkey() ^ window.rkey()) >>> Byte.SIZE != 0) {
            return "mwRkey is 0x" + Integer.toHexString(wr.mwRkey())
                    + ", but only the lowest 8 bits of the window's key, 0x" + Integer.toHexString(window.rkey())
                    + ", may change; use MemoryWindow.incRkey";
        }
        String rights = WindowBind.brokenRights(bind.mwAccessFlags());
        if (rights != null) {
            return rights;
        }
        return bind.length() < 0 ? "mwBind has the negative length " + bind.length() : null;
    }

    private static String inline(RxeQp qp, SendWorkRequest wr) {
        for (int i = 0; i < wr.numSge(); i++) {
            ScatterGatherElement e = wr.sgList()[i];
            if (e.length() == 0) {
                continue;
            }
            MemoryKey key = qp.keys().pin(e.lkey(), qp.pd(), e.addr(), e.length(), 0);
            if (key == null) {
                return "sgList[" + i
                        + "] is not in memory registered under its lkey in the queue pair's domain; the device"
                        + " requires that of INLINE data too";
            }
            try {
                if (key.mayGoAway() && !KeyMemory.isReadable(key, e.addr(), e.length())) {
                    return "sgList[" + i + "] is in memory that is gone, such as that of a truncated file";
                }
            } finally {
                key.unpin();
            }
        }
        return null;
    }

    /** Returns the rule that a receive breaks which passed the library's checks, or null if it breaks none. */
    public static String brokenReceive(QueuePair qp) {
        return qp.qpType() == QpType.XRC_SEND || qp.qpType() == QpType.XRC_RECV
                ? "a queue pair of type " + QpType.toString(qp.qpType())
                        + " has no receive queue; post to the shared receive queues that senders name"
                : null;
    }

    /** Returns the rule that a receive for a shared receive queue breaks, or null if it breaks none. */
    public static String brokenReceive(RxeSharedReceiveQueue srq, RecvWorkRequest wr) {
        int most = srq.srq.maxSge();
        return wr.numSge() > most
                ? "numSge is " + wr.numSge() + ", but the shared receive queue was created for " + most
                        + "; create it with a larger maxSge"
                : null;
    }
}
