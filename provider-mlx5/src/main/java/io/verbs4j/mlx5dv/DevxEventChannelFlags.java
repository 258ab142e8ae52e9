/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/** Flags of {@link Devx#createEventChannel}. Source: {@code enum mlx5dv_devx_create_event_channel_flags}. */
public final class DevxEventChannelFlags {
    /**
     * Events arrive without their data, and an event that has not been fetched yet also stands for those that follow
     * it. Source: {@code MLX5DV_DEVX_CREATE_EVENT_CHANNEL_FLAGS_OMIT_EV_DATA}, mlx5dv_devx_create_event_channel(3).
     */
    public static final int OMIT_DATA = 1 << 0;

    private DevxEventChannelFlags() {}
}
