/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.VerbsException;
import io.verbs4j.mlx5dv.DevxOpcode;
import io.verbs4j.mlx5dv.Mlx5QpMask;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.provider.mlx5.layout.DvQpLayout;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.layout.WqLayout;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * Queries the index by which completions identify a queue that receives frames. libmlx5 chooses the index and does not
 * expose it. Where other completions contain the number of the queue pair, those of frames contain the tag of a flow.
 * The device knows the index and reports it through DevX.
 *
 * <pre>
 * QUERY_RQ  in   0 opcode(2) uid(2) reserved(2) op_mod(2)   8 number(4)  12 reserved(4)
 *           out  0 status(1) reserved(3) syndrome(4) reserved(24)
 *               32 the queue's context: flags(4)   36 reserved(1) index(3) ..
 * </pre>
 */
final class FrameIndex {
    /** The index cannot be queried. */
    static final int UNKNOWN = -1;

    private static final int IN = 16;
    private static final int OUT = 272;
    private static final int NUMBER = 8;
    private static final int INDEX = 36;
    private static final int BITS = 0xffffff;

    /** The index of a queue that has none. */
    private static final int NONE = 0xffffff;

    private static final String OF_QP = "mlx5dv_devx_qp_query";
    private static final String OF_WQ = "mlx5dv_devx_wq_query";

    private FrameIndex() {}

    /** Returns whether libmlx5 has the functions for the query. */
    static boolean isAskable() {
        return Libmlx5.has(OF_QP) && Libmlx5.has(OF_WQ);
    }

    /** Returns the index of the receive queue of a raw packet {@code struct ibv_qp}, or {@link #UNKNOWN}. */
    static int ofQp(long qp) {
        int number = DvObjects.qp(
                qp,
                Mlx5QpMask.RAW_QP_HANDLES,
                at -> (NativeMemory.getLong(at + DvQpLayout.COMP_MASK) & Mlx5QpMask.RAW_QP_HANDLES) == 0
                        ? 0
                        : NativeMemory.getInt(at + DvQpLayout.RQN));
        return number == 0 ? UNKNOWN : ask(OF_QP, qp, number);
    }

    /** Returns the index of a {@code struct ibv_wq}, or {@link #UNKNOWN}. */
    static int ofWq(long wq) {
        return ask(OF_WQ, wq, NativeMemory.getInt(wq + WqLayout.WQ_NUM));
    }

    private static int ask(String function, long object, int number) {
        try (Scratch c = new Scratch(IN + OUT)) {
            long out = c.address() + IN;
            NativeMemory.putNetShort(c.address(), DevxOpcode.QUERY_RQ);
            NativeMemory.putNetInt(c.address() + NUMBER, number);
            Answers.check(function, Libmlx5.function(function, 22).call(object, c.address(), IN, out, OUT));
            int index = NativeMemory.getNetInt(out + INDEX) & BITS;
            return index == NONE ? UNKNOWN : index;
        } catch (VerbsException e) {
            return UNKNOWN;
        }
    }
}
