/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * The type of queue pair that is the vendor's own, beside those of {@link io.verbs4j.QpType}. Source:
 * ibv_create_qp_ex(3), {@code IBV_QPT_*}.
 */
public final class Mlx5QpType {
    /** What it is, {@link Mlx5QpInitAttr} says. Source: {@code IBV_QPT_DRIVER}; rdma-core 17. */
    public static final int DRIVER = 0xff;

    private Mlx5QpType() {}
}
