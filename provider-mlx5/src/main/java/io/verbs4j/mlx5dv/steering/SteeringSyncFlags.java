/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * Conditions that {@link SteeringDomain#sync} waits for. Source: {@code MLX5DV_DR_DOMAIN_SYNC_FLAGS_*},
 * mlx5dv_dr_domain_sync(3).
 */
public final class SteeringSyncFlags {
    /** All work queued in software is done. Source: {@code MLX5DV_DR_DOMAIN_SYNC_FLAGS_SW}. */
    public static final int SW = 1 << 0;

    /**
     * The newest rules apply to the next packet: the cache of the device is cleared. Source:
     * {@code MLX5DV_DR_DOMAIN_SYNC_FLAGS_HW}.
     */
    public static final int HW = 1 << 1;

    /** Device memory that is no longer used is freed. Source: {@code MLX5DV_DR_DOMAIN_SYNC_FLAGS_MEM}. */
    public static final int MEM = 1 << 2;

    private SteeringSyncFlags() {}
}
