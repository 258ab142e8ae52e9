/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

import io.verbs4j.provider.gaudi.dv.HblQueries;

/**
 * What the open device is: the answer of {@link HblDv#queryDevice()}. Bits of its
 * masks are numbers of ports, from bit 1 on, unless it says otherwise; {@link io.verbs4j.DeviceAttrEx#internalPorts()} begins with bit 0.
 * Source: {@code hbldv_query_device}.
 */
public final class HblDeviceAttr extends Answer {
    private final HblQueries.DeviceValues values;

    HblDeviceAttr(HblQueries.DeviceValues values) {
        super(values);
        this.values = values;
    }

    /** {@return {@link HblDeviceCaps} bits} */
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
     * {@return those of them that lead out of the server, likewise} The library does not answer it before 1.17; then these are the ports with
     * more than one GID.
     */
    public long extPortsMask() {
        return values.extPortsMask();
    }

    /** {@return the numbers of the NICs behind the ports, in the same order: bit 0 is NIC 0; 0 before 1.18} */
    public long hwPortsMask() {
        return values.hwPortsMask();
    }
}
