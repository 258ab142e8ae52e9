/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/** The two ends of the dynamically connected transport (DC). Source: mlx5dv_create_qp(3), {@code MLX5DV_DCTYPE_*}. */
public final class Mlx5DcType {
    /**
     * A target: receives from any initiator that knows its access key. Source: {@code MLX5DV_DCTYPE_DCT}; rdma-core 17.
     */
    public static final int DCT = 1;

    /**
     * An initiator: each request it sends can go to another target. Source: {@code MLX5DV_DCTYPE_DCI}; rdma-core 17.
     */
    public static final int DCI = 2;

    private Mlx5DcType() {}
}
