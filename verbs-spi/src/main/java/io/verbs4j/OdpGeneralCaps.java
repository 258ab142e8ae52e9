/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Support of a device for on-demand paging: {@link DeviceAttrEx#odpGeneralCaps()}. Since level 3. Source:
 * {@code ibv_query_device_ex(3)}, {@code ibv_odp_general_caps}.
 */
public final class OdpGeneralCaps {
    /** Bit: regions may be registered on demand. Source: {@code IBV_ODP_SUPPORT}, {@code ibv_query_device_ex(3)}. */
    public static final long SUPPORT = 1L << 0;

    /**
     * Bit: a region may be the whole address space. Source: {@code IBV_ODP_SUPPORT_IMPLICIT},
     * {@code ibv_query_device_ex(3)}.
     */
    public static final long SUPPORT_IMPLICIT = 1L << 1;

    private static final String[] NAMES = {
        "SUPPORT", "SUPPORT_IMPLICIT",
    };

    private OdpGeneralCaps() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "SUPPORT|SUPPORT_IMPLICIT"}; {@code "0"} if no bit is set; bits without a name come
     *     last, as one hexadecimal number
     */
    public static String toString(long bits) {
        return InputAttr.join(bits, NAMES);
    }
}
