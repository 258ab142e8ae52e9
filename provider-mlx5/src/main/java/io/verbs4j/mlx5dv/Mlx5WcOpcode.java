/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * What {@link io.verbs4j.WorkCompletion#opcode()} says of requests that the verbs do not have. Source: mlx5dv.h.
 */
public final class Mlx5WcOpcode {
    /** A key was changed, by a {@link Mlx5MkeyRequest}. Source: {@code MLX5DV_WC_UMR}; rdma-core 24. */
    public static final int UMR = 135;

    /**
     * A descriptor of the program's is done, a {@link Mlx5RawRequest}. Source: {@code MLX5DV_WC_RAW_WQE}; rdma-core
     * 36.
     */
    public static final int RAW_WQE = 136;

    /** The device has copied, by a {@link Mlx5MemcpyRequest}. Source: {@code MLX5DV_WC_MEMCPY}; rdma-core 37. */
    public static final int MEMCPY = 137;

    private Mlx5WcOpcode() {}
}
