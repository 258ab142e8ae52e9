/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.DvDrFlowSamplerAttrLayout;

/**
 * Attributes of a sampler, for {@link Steering#createSampler}. Not thread-safe. Source:
 * {@code struct mlx5dv_dr_flow_sampler_attr}, mlx5dv_dr_flow(3).
 */
public final class FlowSamplerAttr {
    private int ratio;
    private SteeringTable nextTable;
    private SteeringAction[] actions = {};
    private long action;

    /** Creates attributes without a table or actions. */
    public FlowSamplerAttr() {}

    /**
     * Sets the sampling ratio: one packet in this many is sampled.
     *
     * @param value from 1, 32 bits unsigned
     * @return this
     */
    public FlowSamplerAttr ratio(int value) {
        ratio = value;
        return this;
    }

    /**
     * Sets the table that all packets go to next.
     *
     * @param value a table other than that of level 0
     * @return this
     */
    public FlowSamplerAttr nextTable(SteeringTable value) {
        nextTable = value;
        return this;
    }

    /**
     * Sets the actions on sampled packets.
     *
     * @param value actions, one of which determines the destination
     * @return this
     */
    public FlowSamplerAttr actions(SteeringAction... value) {
        actions = value.clone();
        return this;
    }

    /**
     * Sets a header change for all packets, which ConnectX-5 needs in the embedded switch.
     *
     * @param change a change in the device's form, the first byte in the highest; see {@link HeaderChanges}
     * @return this
     */
    public FlowSamplerAttr change(long change) {
        action = change;
        return this;
    }

    int size() {
        return DvDrFlowSamplerAttrLayout.SIZEOF + actions.length * Long.BYTES;
    }

    void write(long at, Referents referents) {
        long list = at + DvDrFlowSamplerAttrLayout.SIZEOF;
        NativeMemory.putInt(at + DvDrFlowSamplerAttrLayout.SAMPLE_RATIO, ratio);
        NativeMemory.putLong(at + DvDrFlowSamplerAttrLayout.DEFAULT_NEXT_TABLE, referents.add("nextTable", nextTable));
        NativeMemory.putInt(at + DvDrFlowSamplerAttrLayout.NUM_SAMPLE_ACTIONS, actions.length);
        NativeMemory.putLong(at + DvDrFlowSamplerAttrLayout.SAMPLE_ACTIONS, list);
        NativeMemory.putNetLong(at + DvDrFlowSamplerAttrLayout.ACTION, action);
        for (int i = 0; i < actions.length; i++) {
            NativeMemory.putLong(list + (long) i * Long.BYTES, referents.add("actions[" + i + "]", actions[i]));
        }
    }
}
