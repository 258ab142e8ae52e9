/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.quirk;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.quirk.layout.DvQpInitAttrLayout;

/**
 * Creates queue pairs of libmlx5 whose data never arrive inside completions ("scatter to CQE"). With that feature, the
 * device puts a small message, or the response to a small read, into the completion, and checks neither the address nor
 * the key of its destination. The polling thread then copies the data there, through an address that may be wrong or no
 * longer registered. That must not crash a JVM. Without the feature the device checks both, as for any other message.
 */
public final class Mlx5QueuePairs {
    /** {@code MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS}. */
    private static final int CREATE_FLAGS = 1;

    /** {@code MLX5DV_QP_CREATE_DISABLE_SCATTER_TO_CQE}. */
    private static final int DISABLE_SCATTER_TO_CQE = 1 << 3;

    /** {@code MLX5DV_QP_CREATE_ALLOW_SCATTER_TO_CQE}, which excludes the other flag. */
    private static final int ALLOW_SCATTER_TO_CQE = 1 << 4;

    private Mlx5QueuePairs() {}

    /** Creates a queue pair from a {@code struct ibv_qp_init_attr_ex}; returns the {@code struct ibv_qp}, or 0. */
    static long create(long context, long attr) {
        try (Scratch dv = new Scratch(DvQpInitAttrLayout.SIZEOF)) {
            withoutScatter(dv.address());
            return Libmlx5.function("mlx5dv_create_qp", 16).call(context, attr, dv.address());
        }
    }

    /** Disables the feature in a {@code struct mlx5dv_qp_init_attr}, whatever its flags request. */
    public static void withoutScatter(long dv) {
        long mask = NativeMemory.getLong(dv + DvQpInitAttrLayout.COMP_MASK);
        int flags = NativeMemory.getInt(dv + DvQpInitAttrLayout.CREATE_FLAGS);
        NativeMemory.putLong(dv + DvQpInitAttrLayout.COMP_MASK, mask | CREATE_FLAGS);
        NativeMemory.putInt(
                dv + DvQpInitAttrLayout.CREATE_FLAGS, flags & ~ALLOW_SCATTER_TO_CQE | DISABLE_SCATTER_TO_CQE);
    }
}
