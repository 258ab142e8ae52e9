/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;

/**
 * Writes cross-channel elements: the control segment, then 8 zero bytes, the count, and the number of the queue that is
 * waited for or enabled. The device counts completions with 24 bits, and blocks of requests and receives with 16.
 */
final class CrossElements {
    /** The operations, as in {@link QpCreateSendOps}. */
    static final long OPERATIONS = QpCreateSendOps.CQE_WAIT | QpCreateSendOps.SEND_ENABLE | QpCreateSendOps.RECV_ENABLE;

    private static final int COMPLETIONS = 0xffffff;
    private static final int REQUESTS = 0xffff;

    private CrossElements() {}

    static boolean isOne(int opcode) {
        return opcode >= WrOpcode.CQE_WAIT && opcode <= WrOpcode.RECV_ENABLE;
    }

    /**
     * Writes a request; returns 0 or an errno. The caller has checked that the queue pair has the operation and that
     * there is room.
     */
    static int write(SendRing r, SendWorkRequest wr) {
        CrossSends cross = r.cross();
        CrossCounter counter = wr.numSge() != 0 ? null : cross.peers().find(wr);
        if (counter == null) {
            return Errno.EINVAL;
        }
        cross.changing(counter);
        if (!counter.advance(wr.waitCount())) {
            return Errno.EINVAL; // and nothing has changed
        }
        int opcode = wr.opcode();
        int index = counter.value() & (opcode == WrOpcode.CQE_WAIT ? COMPLETIONS : REQUESTS);
        long at = r.open(wr.wrId(), wr.sendFlags(), 0);
        long seg = at + Wqe.SEGMENT; // in the same block
        NativeMemory.putLong(seg, 0);
        NativeMemory.putNetLong(seg + Long.BYTES, Wqe.words(index, counter.number()));
        r.close(at, seg + Wqe.SEGMENT, operation(opcode));
        return 0;
    }

    private static int operation(int opcode) {
        return switch (opcode) {
            case WrOpcode.CQE_WAIT -> Wqe.OP_CQE_WAIT;
            case WrOpcode.SEND_ENABLE -> Wqe.OP_SEND_ENABLE;
            default -> Wqe.OP_RECV_ENABLE;
        };
    }
}
