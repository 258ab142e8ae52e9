/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

/**
 * {@code struct hbldv_device_attr}: what a device is; before 1.20, ports_mask(8) is where num_ports is.
 *
 * <pre>
 * 0 caps(8)  8 ports_mask(8)  8 num_ports(1)  16 ext_ports_mask(8)  24 hw_ports_mask(8)    32 in all
 * in all, by release: 16 upstream and in 1.16, 24 in 1.17
 * </pre>
 */
public final class HblDeviceAttrLayout {
    public static final int SIZEOF = 32;
    public static final int CAPS = 0;
    public static final int PORTS_MASK = 8;
    public static final int NUM_PORTS = 8;
    public static final int EXT_PORTS_MASK = 16;
    public static final int HW_PORTS_MASK = 24;

    private HblDeviceAttrLayout() {}
}
