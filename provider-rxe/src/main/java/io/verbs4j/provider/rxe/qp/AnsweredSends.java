/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.Errno;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.SendFlags;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.queue.SendWqe;

/** Checks requests that the peer answers individually: reads, atomics, atomic writes and flushes. */
final class AnsweredSends {
    private static final int FLUSH_TYPES = FlushType.GLOBAL | FlushType.PERSISTENT;
    private static final long MAX_FLUSH = 0xffff_ffffL;

    private AnsweredSends() {}

    /** Returns the errno of the rule that a request breaks, or 0 if it is valid. */
    static int check(SendWqe wqe, int maxRdAtomic) {
        if (wqe.opcode == WrOpcode.FLUSH) {
            return flush(wqe.flushType, wqe.flushLevel, wqe.flushLength, wqe.data.count(), wqe.sendFlags);
        }
        boolean fine = maxRdAtomic > 0;
        switch (wqe.opcode) {
            case WrOpcode.RDMA_READ -> fine &= !wqe.has(SendFlags.INLINE);
            case WrOpcode.RDMA_READ_WITH_INV -> fine &= !wqe.has(SendFlags.INLINE) && wqe.data.count() == 1;
            case WrOpcode.ATOMIC_WRITE -> fine &= wqe.data.isEmpty() && (wqe.remoteAddr & Long.BYTES - 1) == 0;
            case WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD -> {
                int width = wqe.atomicWidth;
                if (width != Integer.BYTES && width != Long.BYTES) {
                    return width > 0 && Integer.bitCount(width) == 1 ? Errno.EOPNOTSUPP : Errno.EINVAL;
                }
                fine &= atomic(wqe, width);
            }
            default -> fine &= atomic(wqe, Long.BYTES);
        }
        return fine ? 0 : Errno.EINVAL;
    }

    private static boolean atomic(SendWqe wqe, int width) {
        return !wqe.has(SendFlags.INLINE) && wqe.data.total() == width && (wqe.remoteAddr & width - 1) == 0;
    }

    private static int flush(int type, int level, long length, int pieces, int sendFlags) {
        if ((type & ~FLUSH_TYPES) != 0 || level != FlushLevel.RANGE && level != FlushLevel.MR) {
            return Errno.EOPNOTSUPP;
        }
        boolean fine = type != 0 && pieces == 0 && (sendFlags & SendFlags.INLINE) == 0 && (length & ~MAX_FLUSH) == 0;
        return fine ? 0 : Errno.EINVAL;
    }
}
