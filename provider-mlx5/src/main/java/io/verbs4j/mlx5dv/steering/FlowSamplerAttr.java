/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.DvDrFlowSamplerAttrLayout;

/**
 * What a sampler is made of: {@link Steering#createSampler}. To be used by one thread at a time. Source: {@code struct
 * mlx5dv_dr_flow_sampler_attr}, mlx5dv_dr_flow(3).
 */
public final class FlowSamplerAttr {
    private int ratio;
    private SteeringTable nextTable;
    private SteeringAction[] actions = {};
    private long action;

    /** No table and no actions yet. */
    public FlowSamplerAttr() {}

    /**
     * Sets how many packets are sampled: one of so many.
     *
     * @param value from 1, 32 bits without sign
     * @return this
     */
    public FlowSamplerAttr ratio(int value) {
        ratio = value;
        return this;
    }

    /**
     * Sets where all packets go then.
     *
     * @param value a table, not of level 0
     * @return this
     */
    public FlowSamplerAttr nextTable(SteeringTable value) {
        nextTable = value;
        return this;
    }

    /**
     * Sets what happens to those that are sampled.
     *
     * @param value actions, of which one says where
     * @return this
     */
    public FlowSamplerAttr actions(SteeringAction... value) {
        actions = value.clone();
        return this;
    }

    /**
     * Sets a change of headers that all packets get, which ConnectX-5 needs in the embedded switch.
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
