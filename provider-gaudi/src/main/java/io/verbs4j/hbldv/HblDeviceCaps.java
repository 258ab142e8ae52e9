/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/** Capabilities of a device, bits of {@link HblDeviceAttr#caps()}. Source: {@code HBLDV_DEVICE_ATTR_CAP_*}. */
public final class HblDeviceCaps {
    /** Congestion control. */
    public static final long CC = 1 << 0;

    /** Collectives. */
    public static final long COLL = 1 << 1;

    private HblDeviceCaps() {}
}
