/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.DvFlowMatcherAttrLayout;

/**
 * Attributes of a {@link FlowMatcher}. Setters of optional attributes set their bits of the mask. Not thread-safe.
 * Source: {@code struct mlx5dv_flow_matcher_attr}, mlx5dv_create_flow_matcher(3).
 */
public final class FlowMatcherAttr {
    /** Mask bit: {@link #tableType(int)} was set. Source: {@code MLX5DV_FLOW_MATCHER_MASK_FT_TYPE}. */
    public static final long MASK_FT_TYPE = 1 << 0;

    /** Mask bit: {@link #ibPort(int)} was set. Source: {@code MLX5DV_FLOW_MATCHER_MASK_IB_PORT}; rdma-core 57. */
    public static final long MASK_IB_PORT = 1 << 1;

    private int type;
    private int flags;
    private int priority;
    private int criteria = -1;
    private FlowMatchParameters mask = new FlowMatchParameters();
    private long compMask;
    private int tableType;
    private int ibPort;

    /** Creates attributes that match all received packets, with priority 0. */
    public FlowMatcherAttr() {}

    /**
     * Sets the type. libmlx5 supports only {@link io.verbs4j.FlowType#NORMAL}, the default.
     *
     * @param value a {@link io.verbs4j.FlowType} value
     * @return this
     */
    public FlowMatcherAttr type(int value) {
        type = value;
        return this;
    }

    /**
     * Sets the flags.
     *
     * @param value {@link io.verbs4j.FlowFlags} bits: EGRESS for sent packets
     * @return this
     */
    public FlowMatcherAttr flags(int value) {
        flags = value;
        return this;
    }

    /**
     * Sets the priority.
     *
     * @param value 0 to 0xffff; rules with a lower number come first
     * @return this
     */
    public FlowMatcherAttr priority(int value) {
        priority = value;
        return this;
    }

    /**
     * Sets the mask, which selects the bits of a packet to compare.
     *
     * @param value a mask, read when the matcher is created
     * @return this
     */
    public FlowMatcherAttr mask(FlowMatchParameters value) {
        mask = value;
        return this;
    }

    /**
     * Sets the parts of the mask to use. The default is those in which a bit is set.
     *
     * @param value {@link MatchCriteria} bits
     * @return this
     */
    public FlowMatcherAttr criteria(int value) {
        criteria = value;
        return this;
    }

    /**
     * Sets the tables that the rules are in.
     *
     * @param value a {@link FlowTableType} value
     * @return this
     */
    public FlowMatcherAttr tableType(int value) {
        tableType = value;
        compMask |= MASK_FT_TYPE;
        return this;
    }

    /**
     * Sets the port of the switch that the rules apply to, only for the two RDMA_TRANSPORT types of tables. Since
     * rdma-core 57.
     *
     * @param value a port
     * @return this
     */
    public FlowMatcherAttr ibPort(int value) {
        ibPort = value;
        compMask |= MASK_IB_PORT;
        return this;
    }

    /** {@return the optional members that were set, {@code MASK_} bits} */
    public long compMask() {
        return compMask;
    }

    FlowMatchParameters mask() {
        return mask;
    }

    int priority() {
        return priority;
    }

    int criteria() {
        return criteria == -1 ? mask.criteria() : criteria;
    }

    void write(long at, long maskAddress) {
        NativeMemory.putInt(at + DvFlowMatcherAttrLayout.TYPE, type);
        NativeMemory.putInt(at + DvFlowMatcherAttrLayout.FLAGS, flags);
        NativeMemory.putShort(at + DvFlowMatcherAttrLayout.PRIORITY, priority);
        NativeMemory.putByte(at + DvFlowMatcherAttrLayout.MATCH_CRITERIA_ENABLE, criteria());
        NativeMemory.putLong(at + DvFlowMatcherAttrLayout.MATCH_MASK, maskAddress);
        NativeMemory.putLong(at + DvFlowMatcherAttrLayout.COMP_MASK, compMask);
        NativeMemory.putInt(at + DvFlowMatcherAttrLayout.FT_TYPE, tableType);
        NativeMemory.putInt(at + DvFlowMatcherAttrLayout.IB_PORT, ibPort);
    }
}
