/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/** Values of {@link io.verbs4j.WorkCompletion#opcode()} for mlx5-specific requests. Source: mlx5dv.h. */
public final class Mlx5WcOpcode {
    /** A {@link Mlx5MkeyRequest}, which changed a key. Source: {@code MLX5DV_WC_UMR}; rdma-core 24. */
    public static final int UMR = 135;

    /**
     * A {@link Mlx5RawRequest}, a descriptor that the program wrote. Source: {@code MLX5DV_WC_RAW_WQE}; rdma-core 36.
     */
    public static final int RAW_WQE = 136;

    /** A {@link Mlx5MemcpyRequest}, a copy by the device. Source: {@code MLX5DV_WC_MEMCPY}; rdma-core 37. */
    public static final int MEMCPY = 137;

    private Mlx5WcOpcode() {}
}
