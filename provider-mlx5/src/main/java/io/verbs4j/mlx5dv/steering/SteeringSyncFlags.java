/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * What {@link SteeringDomain#sync} waits for. Source: {@code MLX5DV_DR_DOMAIN_SYNC_FLAGS_*}, mlx5dv_dr_domain_sync(3).
 */
public final class SteeringSyncFlags {
    /** Until all that was queued in software has been done. Source: {@code MLX5DV_DR_DOMAIN_SYNC_FLAGS_SW}. */
    public static final int SW = 1 << 0;

    /**
     * Until the next packet meets the newest rules: the cache of the device is cleared. Source:
     * {@code MLX5DV_DR_DOMAIN_SYNC_FLAGS_HW}.
     */
    public static final int HW = 1 << 1;

    /**
     * Until memory of the device that is no longer used has been freed. Source:
     * {@code MLX5DV_DR_DOMAIN_SYNC_FLAGS_MEM}.
     */
    public static final int MEM = 1 << 2;

    private SteeringSyncFlags() {}
}
