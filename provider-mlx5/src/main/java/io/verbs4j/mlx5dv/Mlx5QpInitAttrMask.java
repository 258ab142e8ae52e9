/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Bits that record which attributes of a {@link Mlx5QpInitAttr} are set. Source: mlx5dv_create_qp(3),
 * {@code MLX5DV_QP_INIT_ATTR_MASK_*}.
 */
public final class Mlx5QpInitAttrMask {
    /** The flags. Source: {@code MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS}; rdma-core 16. */
    public static final long QP_CREATE_FLAGS = 1L << 0;

    /** The end of DC. Source: {@code MLX5DV_QP_INIT_ATTR_MASK_DC}; rdma-core 17. */
    public static final long DC = 1L << 1;

    /** The operations that may be posted. Source: {@code MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS}; rdma-core 24. */
    public static final long SEND_OPS_FLAGS = 1L << 2;

    /** The streams of an initiator. Source: {@code MLX5DV_QP_INIT_ATTR_MASK_DCI_STREAMS}; rdma-core 37. */
    public static final long DCI_STREAMS = 1L << 3;

    private Mlx5QpInitAttrMask() {}
}
