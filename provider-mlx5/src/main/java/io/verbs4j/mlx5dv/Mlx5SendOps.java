/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Operations of {@link Mlx5QpInitAttr#sendOpsFlags(long)}. Source: mlx5dv_create_qp(3), {@code MLX5DV_QP_EX_WITH_*}.
 */
public final class Mlx5SendOps {
    /** Interleaved memory keys. Source: {@code MLX5DV_QP_EX_WITH_MR_INTERLEAVED}; rdma-core 24. */
    public static final long MR_INTERLEAVED = 1L << 0;

    /** Memory keys over lists. Source: {@code MLX5DV_QP_EX_WITH_MR_LIST}; rdma-core 24. */
    public static final long MR_LIST = 1L << 1;

    /** Memory keys with signature or encryption. Source: {@code MLX5DV_QP_EX_WITH_MKEY_CONFIGURE}; rdma-core 36. */
    public static final long MKEY_CONFIGURE = 1L << 2;

    /** Raw elements, written by the program. Source: {@code MLX5DV_QP_EX_WITH_RAW_WQE}; rdma-core 36. */
    public static final long RAW_WQE = 1L << 3;

    /** Copies within the device. Source: {@code MLX5DV_QP_EX_WITH_MEMCPY}; rdma-core 37. */
    public static final long MEMCPY = 1L << 4;

    private Mlx5SendOps() {}
}
