/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * Flags that determine how a packet changes the object of an {@link AsoAction}; which of them apply depends on the
 * object's kind. Source: {@code MLX5DV_DR_ACTION_FLAGS_ASO_*}, mlx5dv_dr_action_create_aso(3).
 */
public final class AsoFlags {
    /** First hit: sets the object. Source: {@code MLX5DV_DR_ACTION_FLAGS_ASO_FIRST_HIT_SET}. */
    public static final int FIRST_HIT_SET = 1 << 0;

    /** Flow meter: the initial color is red. Source: {@code MLX5DV_DR_ACTION_FLAGS_ASO_FLOW_METER_RED}. */
    public static final int FLOW_METER_RED = 1 << 0;

    /** Flow meter: the initial color is yellow. Source: {@code MLX5DV_DR_ACTION_FLAGS_ASO_FLOW_METER_YELLOW}. */
    public static final int FLOW_METER_YELLOW = 1 << 1;

    /** Flow meter: the initial color is green. Source: {@code MLX5DV_DR_ACTION_FLAGS_ASO_FLOW_METER_GREEN}. */
    public static final int FLOW_METER_GREEN = 1 << 2;

    /** Flow meter: the initial color is undefined. Source: {@code MLX5DV_DR_ACTION_FLAGS_ASO_FLOW_METER_UNDEFINED}. */
    public static final int FLOW_METER_UNDEFINED = 1 << 3;

    /**
     * Connection tracking: the packet is from the initiator. Source:
     * {@code MLX5DV_DR_ACTION_FLAGS_ASO_CT_DIRECTION_INITIATOR}; rdma-core 35.
     */
    public static final int CT_DIRECTION_INITIATOR = 1 << 0;

    /**
     * Connection tracking: the packet is from the responder. Source:
     * {@code MLX5DV_DR_ACTION_FLAGS_ASO_CT_DIRECTION_RESPONDER}; rdma-core 35.
     */
    public static final int CT_DIRECTION_RESPONDER = 1 << 1;

    private AsoFlags() {}
}
