/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * Kinds of packets that a {@link SteeringDomain} steers. Source: {@code MLX5DV_DR_DOMAIN_TYPE_*},
 * mlx5dv_dr_domain_create(3).
 */
public final class SteeringDomainType {
    /** Received frames. Without a rule they are dropped. Source: {@code MLX5DV_DR_DOMAIN_TYPE_NIC_RX}. */
    public static final int NIC_RX = 0;

    /** Sent frames. Without a rule they go on to the port. Source: {@code MLX5DV_DR_DOMAIN_TYPE_NIC_TX}. */
    public static final int NIC_TX = 1;

    /**
     * Frames in the embedded switch. Without a rule they go to its manager. Source: {@code MLX5DV_DR_DOMAIN_TYPE_FDB}.
     */
    public static final int FDB = 2;

    private SteeringDomainType() {}
}
