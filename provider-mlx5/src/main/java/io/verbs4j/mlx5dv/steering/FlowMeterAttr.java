/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.DvDrFlowMeterAttrLayout;

/**
 * Attributes of a {@link MeterAction}. Not thread-safe. Source: {@code struct mlx5dv_dr_flow_meter_attr},
 * mlx5dv_dr_flow(3).
 */
public final class FlowMeterAttr {
    private SteeringTable nextTable;
    private int active;
    private int register;
    private byte[] parameters = {};

    /** Creates attributes without a table or parameters. */
    public FlowMeterAttr() {}

    /**
     * Sets the table that packets go to next.
     *
     * @param value a table other than that of level 0
     * @return this
     */
    public FlowMeterAttr nextTable(SteeringTable value) {
        nextTable = value;
        return this;
    }

    /**
     * Sets whether the meter is active.
     *
     * @param value true to meter packets
     * @return this
     */
    public FlowMeterAttr active(boolean value) {
        active = value ? 1 : 0;
        return this;
    }

    /**
     * Sets the register C that receives the color.
     *
     * @param value number of the register, 0 to 255
     * @return this
     */
    public FlowMeterAttr register(int value) {
        register = value;
        return this;
    }

    /**
     * Sets the parameters.
     *
     * @param value in the device's form: {@code flow_meter_parameters}
     * @return this
     */
    public FlowMeterAttr parameters(byte[] value) {
        parameters = value.clone();
        return this;
    }

    SteeringTable nextTable() {
        return nextTable;
    }

    int register() {
        return register;
    }

    int size() {
        return DvDrFlowMeterAttrLayout.SIZEOF + parameters.length;
    }

    void write(long at, long table) {
        NativeMemory.putLong(at + DvDrFlowMeterAttrLayout.NEXT_TABLE, table);
        NativeMemory.putByte(at + DvDrFlowMeterAttrLayout.ACTIVE, active);
        NativeMemory.putByte(at + DvDrFlowMeterAttrLayout.REG_C_INDEX, register);
        NativeMemory.putLong(at + DvDrFlowMeterAttrLayout.FLOW_METER_PARAMETER_SZ, parameters.length);
        NativeMemory.putLong(at + DvDrFlowMeterAttrLayout.FLOW_METER_PARAMETER, at + DvDrFlowMeterAttrLayout.SIZEOF);
        NativeMemory.putBytes(at + DvDrFlowMeterAttrLayout.SIZEOF, parameters);
    }
}
