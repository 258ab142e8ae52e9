/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;

/**
 * Writes the elements of operations that C has no work requests for: masked atomics, no-operations, and those of
 * {@link CrossElements} and {@link MrKeyElements}.
 *
 * <pre>
 * compare and swap, 8 bytes   swap(8) compare(8)  swap mask(8) compare mask(8)   two segments
 *                   4 bytes   swap(4) compare(4) swap mask(4) compare mask(4)
 * fetch and add,    8 bytes   add(8) tops of fields(8)
 *                   4 bytes   add(4) tops of fields(4) zero(8)
 * </pre>
 *
 * The remote segment is before them, and one data segment of as many bytes after them; the operation's modifier gives
 * that number.
 */
final class OwnElements {
    /** The operations, as in {@link QpCreateSendOps}. */
    static final long OPERATIONS = QpCreateSendOps.MASKED_ATOMIC_CMP_AND_SWP
            | QpCreateSendOps.MASKED_ATOMIC_FETCH_AND_ADD
            | QpCreateSendOps.NOP
            | QpCreateSendOps.REG_MR
            | CrossElements.OPERATIONS;

    /** Position of the modifier in the first word, and its values for 4 and 8 bytes. */
    private static final int MODIFIER = 24;

    private static final int OF_4 = 0x08;
    private static final int OF_8 = 0x09;
    private static final long LOW = 0xffff_ffffL;

    private OwnElements() {}

    /**
     * Writes a request; returns 0 or an errno. The caller has checked that the queue pair has the operation and that
     * there is room.
     */
    static int write(SendRing r, SendWorkRequest wr, SendBuilder built, int i) {
        int opcode = wr.opcode();
        if (opcode == WrOpcode.REG_MR) {
            return r.mrKeys() == null ? Errno.EOPNOTSUPP : r.mrKeys().register(wr);
        }
        if (CrossElements.isOne(opcode)) {
            return CrossElements.write(r, wr);
        }
        if (opcode == WrOpcode.NOP) {
            if (wr.numSge() != 0) {
                return Errno.EINVAL;
            }
            long at = r.open(wr.wrId(), wr.sendFlags(), 0);
            r.close(at, at + Wqe.SEGMENT, Wqe.OP_NOP);
            return 0;
        }
        int width = wr.atomicWidth() == 0 ? Long.BYTES : wr.atomicWidth();
        ScatterGatherElement[] list = wr.sgList();
        if (width != Integer.BYTES && width != Long.BYTES) {
            return width > 0 && Integer.bitCount(width) == 1 ? Errno.EOPNOTSUPP : Errno.EINVAL;
        }
        if ((wr.remoteAddr() & width - 1) != 0
                || (wr.sendFlags() & SendFlags.INLINE) != 0
                || wr.numSge() != 1
                || list == null
                || list.length == 0
                || list[0] == null
                || list[0].length() != width) {
            return Errno.EINVAL;
        }
        long at = r.place();
        int error = r.writeTransport(at, wr, built, i);
        if (error != 0) {
            return error;
        }
        long seg = r.remote(r.afterTransport(at), wr.remoteAddr(), wr.rkey());
        boolean swaps = opcode == WrOpcode.MASKED_ATOMIC_CMP_AND_SWP;
        seg = swaps ? swap(r, seg, wr, width) : add(r, seg, wr, width);
        seg = r.data(seg, list[0].lkey(), list[0].addr(), width);
        r.open(wr.wrId(), wr.sendFlags(), 0);
        int operation = swaps ? Wqe.OP_ATOMIC_MASKED_CS : Wqe.OP_ATOMIC_MASKED_FA;
        r.close(at, seg, (width == Integer.BYTES ? OF_4 : OF_8) << MODIFIER | operation);
        return 0;
    }

    private static long swap(SendRing r, long seg, SendWorkRequest wr, int width) {
        if (width == Long.BYTES) {
            return r.words(r.words(seg, wr.swap(), wr.compareAdd()), wr.swapMask(), wr.compareAddMask());
        }
        return r.words(seg, pair(wr.swap(), wr.compareAdd()), pair(wr.swapMask(), wr.compareAddMask()));
    }

    private static long add(SendRing r, long seg, SendWorkRequest wr, int width) {
        return width == Long.BYTES
                ? r.words(seg, wr.compareAdd(), wr.compareAddMask())
                : r.words(seg, pair(wr.compareAdd(), wr.compareAddMask()), 0);
    }

    private static long pair(long first, long second) {
        return first << Integer.SIZE | second & LOW;
    }

    /** Returns the number of segments before the data of a masked atomic, from the first word of its element. */
    static int segmentsBefore(int firstWord) {
        boolean two = (firstWord & 0xff) == Wqe.OP_ATOMIC_MASKED_CS && firstWord >>> MODIFIER == OF_8;
        return two ? 4 : 3;
    }
}
