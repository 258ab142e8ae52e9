/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.VerbsException;
import io.verbs4j.mlx5dv.DevxOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.provider.mlx5.layout.DvSrqLayout;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * Queries the index by which completions identify a shared receive queue of type XRC. libmlx5 chooses the index and
 * does not expose it. The device knows it and reports it if the context has DevX.
 *
 * <pre>
 * QUERY_XRC_SRQ  in   0 opcode(2) uid(2) reserved(2) op_mod(2)   8 number(4)  12 reserved(4)
 *                out  0 status(1) reserved(3) syndrome(4) reserved(8)
 *                    16 the queue's context: .. 32 log of page size(1) index(3) ..
 * </pre>
 */
final class XrcIndex {
    /** The index cannot be queried. */
    static final int UNKNOWN = -1;

    private static final int IN = 16;
    private static final int OUT = 272;
    private static final int NUMBER = 8;
    private static final int INDEX = 32;
    private static final int BITS = 0xffffff;

    /** The index of a queue that has none; completions then contain its number. */
    private static final int NONE = 0xffffff;

    private static final int WITH_NUMBER = 1;

    private XrcIndex() {}

    /** Queries a {@code struct ibv_srq}; returns {@link #UNKNOWN} if the library or the context has no DevX. */
    static int of(long srq) {
        if (!Libmlx5.has("mlx5dv_devx_srq_query")) {
            return UNKNOWN;
        }
        int number = DvObjects.srq(srq, WITH_NUMBER, at -> NativeMemory.getInt(at + DvSrqLayout.SRQN));
        try (Scratch c = new Scratch(IN + OUT)) {
            long out = c.address() + IN;
            NativeMemory.putNetShort(c.address(), DevxOpcode.QUERY_XRC_SRQ);
            NativeMemory.putNetInt(c.address() + NUMBER, number);
            Answers.check(
                    "mlx5dv_devx_srq_query",
                    Libmlx5.function("mlx5dv_devx_srq_query", 22).call(srq, c.address(), IN, out, OUT));
            int index = NativeMemory.getNetInt(out + INDEX) & BITS;
            return index == NONE ? number : index;
        } catch (VerbsException e) {
            return UNKNOWN;
        }
    }
}
