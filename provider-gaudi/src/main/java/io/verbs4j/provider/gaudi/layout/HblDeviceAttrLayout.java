/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct hbldv_device_attr}: what a device is; before 1.20, ports_mask(8) is where num_ports is.
 *
 * <pre>
 * 0 caps(8)  8 ports_mask(8)  8 num_ports(1)  16 ext_ports_mask(8)  24 hw_ports_mask(8)    32 in all
 * in all, by release: 16 upstream and in 1.16, 24 in 1.17
 * </pre>
 */
@CStruct(value = "struct hbldv_device_attr", header = "infiniband/hbldv.h")
public final class HblDeviceAttrLayout {
    @CSize(size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "caps", size = 8)
    public static final int CAPS = 0;

    @CField(value = "ports_mask", size = 8)
    public static final int PORTS_MASK = 8;

    @CField(value = "num_ports", size = 1)
    public static final int NUM_PORTS = 8;

    @CField(value = "ext_ports_mask", size = 8)
    public static final int EXT_PORTS_MASK = 16;

    @CField(value = "hw_ports_mask", size = 8)
    public static final int HW_PORTS_MASK = 24;

    private HblDeviceAttrLayout() {}
}
