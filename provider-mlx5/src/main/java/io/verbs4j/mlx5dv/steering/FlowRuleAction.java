/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.QueuePair;
import io.verbs4j.mlx5dv.DevxObject;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.DvFlowActionAttrLayout;

/**
 * An action of a {@link FlowRule} on packets. Immutable; it does not keep objects open until a rule uses it. Source:
 * {@code struct mlx5dv_flow_action_attr}, mlx5dv_create_flow(3).
 */
public final class FlowRuleAction {
    private static final int DEST_IBV_QP = 0;
    private static final int DROP = 1;
    private static final int IBV_FLOW_ACTION = 3;
    private static final int TAG = 4;
    private static final int DEST_DEVX = 5;
    private static final int COUNTERS_DEVX = 6;
    private static final int DEFAULT_MISS = 7;
    private static final int COUNTERS_DEVX_WITH_OFFSET = 8;

    private final int type;
    private final Object object;
    private final int number;

    private FlowRuleAction(int type, Object object, int number) {
        this.type = type;
        this.object = object;
        this.number = number;
    }

    /**
     * Creates an action that delivers packets to a queue pair. Source: {@code MLX5DV_FLOW_ACTION_DEST_IBV_QP}.
     *
     * @param qp a queue pair of type RAW_PACKET, or one that spreads packets
     * @return the action
     */
    public static FlowRuleAction queuePair(QueuePair qp) {
        return new FlowRuleAction(DEST_IBV_QP, qp, 0);
    }

    /**
     * Creates an action that drops packets. Source: {@code MLX5DV_FLOW_ACTION_DROP}.
     *
     * @return the action
     */
    public static FlowRuleAction drop() {
        return new FlowRuleAction(DROP, null, 0);
    }

    /**
     * Creates an action that changes packets. A rule can have up to 8 of these. Source:
     * {@code MLX5DV_FLOW_ACTION_IBV_FLOW_ACTION}.
     *
     * @param action the change
     * @return the action
     */
    public static FlowRuleAction change(Mlx5FlowAction action) {
        return new FlowRuleAction(IBV_FLOW_ACTION, action, 0);
    }

    /**
     * Creates an action that tags packets: their completions report the number. Source: {@code MLX5DV_FLOW_ACTION_TAG}.
     *
     * @param value 24 bits
     * @return the action
     */
    public static FlowRuleAction tag(int value) {
        return new FlowRuleAction(TAG, null, value);
    }

    /**
     * Creates an action that delivers packets to a DevX object. Source: {@code MLX5DV_FLOW_ACTION_DEST_DEVX}.
     *
     * @param destination a TIR or a flow table
     * @return the action
     */
    public static FlowRuleAction devx(DevxObject destination) {
        return new FlowRuleAction(DEST_DEVX, destination, 0);
    }

    /**
     * Creates an action that counts packets. Source: {@code MLX5DV_FLOW_ACTION_COUNTERS_DEVX}.
     *
     * @param counter a flow counter
     * @return the action
     */
    public static FlowRuleAction counter(DevxObject counter) {
        return new FlowRuleAction(COUNTERS_DEVX, counter, 0);
    }

    /**
     * Creates an action that counts packets with one of several counters that were created together. Since rdma-core
     * 60. Source: {@code MLX5DV_FLOW_ACTION_COUNTERS_DEVX_WITH_OFFSET}.
     *
     * @param counters flow counters that were created together
     * @param offset index of the counter, from 0
     * @return the action
     */
    public static FlowRuleAction counter(DevxObject counters, int offset) {
        return new FlowRuleAction(COUNTERS_DEVX_WITH_OFFSET, counters, offset);
    }

    /**
     * Creates an action that treats packets as if there were no rules. Source: {@code MLX5DV_FLOW_ACTION_DEFAULT_MISS}.
     *
     * @return the action
     */
    public static FlowRuleAction defaultMiss() {
        return new FlowRuleAction(DEFAULT_MISS, null, 0);
    }

    /** Returns whether the action does not fit into the struct of libraries before rdma-core 60. */
    boolean isWide() {
        return type == COUNTERS_DEVX_WITH_OFFSET;
    }

    /** Writes the action, and keeps the objects that it names open. */
    void write(long at, boolean wide, Referents referents) {
        NativeMemory.putInt(at + DvFlowActionAttrLayout.TYPE, type);
        switch (type) {
            case DEST_IBV_QP -> NativeMemory.putLong(at + DvFlowActionAttrLayout.QP, referents.add((QueuePair) object));
            case IBV_FLOW_ACTION ->
                NativeMemory.putLong(
                        at + DvFlowActionAttrLayout.ACTION, referents.add("action", (SteeringHandle) object));
            case TAG -> NativeMemory.putInt(at + DvFlowActionAttrLayout.TAG_VALUE, number);
            case DEST_DEVX ->
                NativeMemory.putLong(
                        at + DvFlowActionAttrLayout.OBJ, referents.add("destination", (DevxObject) object));
            case COUNTERS_DEVX, COUNTERS_DEVX_WITH_OFFSET -> {
                NativeMemory.putLong(at + DvFlowActionAttrLayout.OBJ, referents.add("counter", (DevxObject) object));
                if (wide) {
                    NativeMemory.putInt(at + DvFlowActionAttrLayout.BULK_OBJ_OFFSET, number);
                }
            }
            default -> {
                // only the type
            }
        }
    }
}
