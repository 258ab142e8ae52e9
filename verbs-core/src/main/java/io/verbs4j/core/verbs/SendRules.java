/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.FastRegister;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.QpType;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;

/**
 * What each operation of a send queue requires on every device: which types have it, and what its attributes must be.
 * Each rule returns the fault, or null. Rules that some providers leave to the device are in the providers that check
 * them.
 */
final class SendRules {
    /** The program's part of a key; the rest must not change. */
    private static final int TAG = 0xff;

    private static final int ATOMIC_BYTES = 8;
    private static final long MOST_FLUSHED = 0xffff_ffffL;
    private static final int MOST_SEGMENT = 0xffff;

    private SendRules() {}

    static String operation(int type, int opcode) {
        if (!isKnown(opcode)) {
            return "opcode is " + WrOpcode.toString(opcode) + ", which this library does not know; use one of WrOpcode";
        }
        String has = switch (type) {
            case QpType.UC -> answers(opcode) || waits(opcode) ? "SEND and RDMA_WRITE" : null;
            case QpType.UD -> sendsDatagrams(opcode) ? null : "SEND";
            default -> null;
        };
        return has == null
                ? null
                : "opcode is " + WrOpcode.toString(opcode) + ", which a queue pair of type " + QpType.toString(type)
                        + " does not support; it supports " + has + ", with or without immediate data";
    }

    private static boolean isKnown(int opcode) {
        return opcode >= WrOpcode.RDMA_WRITE && opcode <= WrOpcode.TSO
                || opcode >= WrOpcode.MASKED_ATOMIC_CMP_AND_SWP && opcode <= WrOpcode.ATOMIC_WRITE
                || opcode >= WrOpcode.REG_MR && opcode <= WrOpcode.RECV_ENABLE;
    }

    private static boolean sendsDatagrams(int opcode) {
        return switch (opcode) {
            case WrOpcode.SEND,
                    WrOpcode.SEND_WITH_IMM,
                    WrOpcode.NOP,
                    WrOpcode.CQE_WAIT,
                    WrOpcode.SEND_ENABLE,
                    WrOpcode.RECV_ENABLE -> true;
            default -> false;
        };
    }

    /** Whether the peer's response carries data. */
    private static boolean answers(int opcode) {
        return opcode == WrOpcode.RDMA_READ
                || opcode == WrOpcode.RDMA_READ_WITH_INV
                || isAtomic(opcode)
                || isMasked(opcode);
    }

    /** Whether only few devices have the operation, which needs no scatter-gather list. */
    static boolean isRare(int opcode) {
        return waits(opcode) || opcode >= WrOpcode.CQE_WAIT && opcode <= WrOpcode.RECV_ENABLE;
    }

    /** Whether the request names the queue that it is about, as no other operation needs. */
    static boolean namesItsQueue(SendWorkRequest wr) {
        return switch (wr.opcode()) {
            case WrOpcode.CQE_WAIT -> wr.waitCq() != null;
            case WrOpcode.SEND_ENABLE, WrOpcode.RECV_ENABLE -> wr.enableQp() != null;
            default -> true;
        };
    }

    /** Whether the peer responds without data. */
    private static boolean waits(int opcode) {
        return opcode == WrOpcode.FLUSH || opcode == WrOpcode.ATOMIC_WRITE;
    }

    private static boolean isAtomic(int opcode) {
        return opcode == WrOpcode.ATOMIC_CMP_AND_SWP || opcode == WrOpcode.ATOMIC_FETCH_AND_ADD;
    }

    private static boolean isMasked(int opcode) {
        return opcode == WrOpcode.MASKED_ATOMIC_CMP_AND_SWP || opcode == WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD;
    }

    /** Whether something else than the queue pair's capacity bounds the list. */
    static boolean hasListOfItsOwn(int opcode) {
        return opcode == WrOpcode.REG_MR;
    }

    /** The rules for a request's own attributes; {@code bytes} is the total of its list. */
    static String attributes(SendWorkRequest wr, long bytes) {
        String wrong = elements(wr);
        if (wrong != null) {
            return wrong;
        }
        return switch (wr.opcode()) {
            case WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD -> masked(wr, bytes);
            case WrOpcode.ATOMIC_WRITE -> aligned(wr, ATOMIC_BYTES);
            case WrOpcode.FLUSH -> flush(wr);
            case WrOpcode.BIND_MW -> bind(wr);
            case WrOpcode.TSO -> tso(wr);
            case WrOpcode.REG_MR -> register(wr);
            case WrOpcode.CQE_WAIT ->
                wr.waitCq() == null
                        ? "waitCq is null; set the completion queue to wait for"
                        : wr.waitCount() < 1
                                ? "waitCount is " + wr.waitCount() + "; set the number of completions, at least 1"
                                : null;
            case WrOpcode.SEND_ENABLE, WrOpcode.RECV_ENABLE ->
                wr.enableQp() == null
                        ? "enableQp is null; set the queue pair to enable"
                        : wr.waitCount() < 0
                                ? "waitCount is " + wr.waitCount() + "; set the number of requests, or 0 for all"
                                : null;
            default -> null;
        };
    }

    private static String elements(SendWorkRequest wr) {
        int opcode = wr.opcode();
        boolean none = opcode == WrOpcode.LOCAL_INV
                || opcode == WrOpcode.BIND_MW
                || waits(opcode)
                || opcode >= WrOpcode.NOP && opcode <= WrOpcode.RECV_ENABLE;
        if (none && wr.numSge() != 0) {
            return "numSge is " + wr.numSge() + ", but " + WrOpcode.toString(opcode) + " has no data; leave sgList out";
        }
        if (opcode == WrOpcode.RDMA_READ_WITH_INV && wr.numSge() != 1) {
            return "numSge is " + wr.numSge()
                    + ", but RDMA_READ_WITH_INV needs exactly one element, whose key it invalidates";
        }
        boolean sendsNone = isMasked(opcode) || opcode == WrOpcode.RDMA_READ_WITH_INV || opcode == WrOpcode.REG_MR;
        return (wr.sendFlags() & SendFlags.INLINE) != 0 && sendsNone
                ? "INLINE is for data that is sent; " + WrOpcode.toString(opcode) + " sends none: leave the flag out"
                : null;
    }

    private static String masked(SendWorkRequest wr, long bytes) {
        int width = wr.atomicWidth() == 0 ? ATOMIC_BYTES : wr.atomicWidth();
        if (width != Integer.BYTES && width != ATOMIC_BYTES) {
            return "atomicWidth is " + wr.atomicWidth() + "; it must be 4 or 8";
        }
        return bytes == width
                ? aligned(wr, width)
                : "an atomic fetches " + width + " bytes, but sgList has room for " + bytes;
    }

    private static String aligned(SendWorkRequest wr, int width) {
        return (wr.remoteAddr() & width - 1) == 0
                ? null
                : "remoteAddr 0x" + Long.toHexString(wr.remoteAddr()) + " of an atomic is not a multiple of " + width;
    }

    private static String flush(SendWorkRequest wr) {
        int types = FlushType.GLOBAL | FlushType.PERSISTENT;
        if (wr.flushType() == 0 || (wr.flushType() & ~types) != 0) {
            return "flushType is " + FlushType.toString(wr.flushType()) + "; set some of " + FlushType.toString(types);
        }
        if (wr.flushLevel() != FlushLevel.RANGE && wr.flushLevel() != FlushLevel.MR) {
            return "flushLevel is " + FlushLevel.toString(wr.flushLevel()) + "; use one of FlushLevel";
        }
        return wr.flushLength() < 0 || wr.flushLength() > MOST_FLUSHED
                ? "flushLength is " + wr.flushLength() + "; it must be 0 to " + MOST_FLUSHED
                : null;
    }

    private static String tso(SendWorkRequest wr) {
        if (wr.tsoHeader() == null || wr.tsoHeader().length() <= 0) {
            return "tsoHeader is " + (wr.tsoHeader() == null ? "null" : "empty") + "; set the headers of the frames";
        }
        return wr.mss() < 1 || wr.mss() > MOST_SEGMENT
                ? "mss is " + wr.mss() + "; it must be 1 to " + MOST_SEGMENT
                : null;
    }

    private static String bind(SendWorkRequest wr) {
        if (wr.mw() == null || wr.mwBind() == null) {
            return (wr.mw() == null ? "mw" : "mwBind") + " is null; set the window and the memory that it opens";
        }
        return key("mwRkey", wr.mwRkey(), wr.mw().rkey());
    }

    private static String register(SendWorkRequest wr) {
        FastRegister made = wr.fastRegister();
        if (made == null || made.mr() == null) {
            return (made == null ? "fastRegister" : "fastRegister.mr") + " is null; set the region and its new key";
        }
        return wr.numSge() == 0
                ? "numSge is 0; set the pieces of memory in sgList"
                : key("fastRegister.key", made.key(), made.mr().lkey());
    }

    private static String key(String name, int key, int present) {
        return (key & ~TAG) == (present & ~TAG)
                ? null
                : name + " is 0x" + Integer.toHexString(key) + ", but the current key is 0x"
                        + Integer.toHexString(present)
                        + ": only the lowest 8 bits may change, as MemoryWindow.incRkey does";
    }
}
