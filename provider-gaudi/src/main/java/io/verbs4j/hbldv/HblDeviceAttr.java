/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

import io.verbs4j.provider.gaudi.dv.HblQueries;

/**
 * The ports and capabilities of the open device, returned by {@link HblDv#queryDevice()}. In its masks, bit n stands
 * for port n, and bit 0 is unused, unless stated otherwise; in {@link io.verbs4j.DeviceAttrEx#internalPorts()}, bit 0
 * stands for port 1. Source: {@code hbldv_query_device}.
 */
public final class HblDeviceAttr extends Answer {
    private final HblQueries.DeviceValues values;

    HblDeviceAttr(HblQueries.DeviceValues values) {
        super(values);
        this.values = values;
    }

    /** {@return the capabilities, {@link HblDeviceCaps} bits} */
    public long caps() {
        return values.caps();
    }

    /** {@return the number of open ports} */
    public int numPorts() {
        return values.numPorts();
    }

    /** {@return the open ports: bit 1 is port 1, and bit 0 is never set} */
    public long portsMask() {
        return values.portsMask();
    }

    /**
     * {@return the open ports that lead out of the server, with the same bits} Before 1.17, the library does not report
     * them; then these are the ports with more than one GID.
     */
    public long extPortsMask() {
        return values.extPortsMask();
    }

    /** {@return the NICs behind the ports, in the same order: bit 0 is NIC 0; 0 before 1.18} */
    public long hwPortsMask() {
        return values.hwPortsMask();
    }
}
