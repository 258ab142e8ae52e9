/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits of the capability mask of a port, CapabilityMask in the InfiniBand Architecture Specification, volume 1,
 * 14.2.5.6. Bit 10 (subnet manager disabled) has no name in libibverbs and none here.
 *
 * <p>A value is the OR of any of the constants. A device newer than this class may set further bits. Source: {@code
 * ibv_query_port(3)}.
 */
public final class PortCap {
    /** Bit: a subnet manager runs on the port. Source: {@code IBV_PORT_SM}, {@code ibv_query_port(3)}. */
    public static final int SM = 1 << 1;

    /**
     * Bit: the port keeps notices that can be queried. Source: {@code IBV_PORT_NOTICE_SUP}, {@code ibv_query_port(3)}.
     */
    public static final int NOTICE_SUP = 1 << 2;

    /**
     * Bit: the port sends traps to the subnet manager. Source: {@code IBV_PORT_TRAP_SUP}, {@code ibv_query_port(3)}.
     */
    public static final int TRAP_SUP = 1 << 3;

    /**
     * Bit: the port supports the optional inter-packet delays, and so all static rates. Source:
     * {@code IBV_PORT_OPT_IPD_SUP}, {@code ibv_query_port(3)}.
     */
    public static final int OPT_IPD_SUP = 1 << 4;

    /**
     * Bit: the port takes part in automatic path migration. Source: {@code IBV_PORT_AUTO_MIGR_SUP},
     * {@code ibv_query_port(3)}.
     */
    public static final int AUTO_MIGR_SUP = 1 << 5;

    /**
     * Bit: the port maps service levels to virtual lanes by a table. Source: {@code IBV_PORT_SL_MAP_SUP},
     * {@code ibv_query_port(3)}.
     */
    public static final int SL_MAP_SUP = 1 << 6;

    /**
     * Bit: the management key survives a loss of power. Source: {@code IBV_PORT_MKEY_NVRAM}, {@code ibv_query_port(3)}.
     */
    public static final int MKEY_NVRAM = 1 << 7;

    /**
     * Bit: the partition keys survive a loss of power. Source: {@code IBV_PORT_PKEY_NVRAM}, {@code ibv_query_port(3)}.
     */
    public static final int PKEY_NVRAM = 1 << 8;

    /**
     * Bit: the lamp of the port can be read and set by management. Source: {@code IBV_PORT_LED_INFO_SUP},
     * {@code ibv_query_port(3)}.
     */
    public static final int LED_INFO_SUP = 1 << 9;

    /**
     * Bit: the node has a system image GUID. Source: {@code IBV_PORT_SYS_IMAGE_GUID_SUP}, {@code ibv_query_port(3)}.
     */
    public static final int SYS_IMAGE_GUID_SUP = 1 << 11;

    /**
     * Bit: the switch sends traps about P_Key violations at its external ports. Source:
     * {@code IBV_PORT_PKEY_SW_EXT_PORT_TRAP_SUP}, {@code ibv_query_port(3)}.
     */
    public static final int PKEY_SW_EXT_PORT_TRAP_SUP = 1 << 12;

    /**
     * Bit: the port supports link speeds beyond 10 Gbit/s per lane. Source: {@code IBV_PORT_EXTENDED_SPEEDS_SUP},
     * {@code ibv_query_port(3)}.
     */
    public static final int EXTENDED_SPEEDS_SUP = 1 << 14;

    /** Bit: a communication manager runs on the port. Source: {@code IBV_PORT_CM_SUP}, {@code ibv_query_port(3)}. */
    public static final int CM_SUP = 1 << 16;

    /**
     * Bit: SNMP can be tunnelled through management packets. Source: {@code IBV_PORT_SNMP_TUNNEL_SUP},
     * {@code ibv_query_port(3)}.
     */
    public static final int SNMP_TUNNEL_SUP = 1 << 17;

    /**
     * Bit: the node supports the kinds of reinitialisation that a subnet manager offers. Source:
     * {@code IBV_PORT_REINIT_SUP}, {@code ibv_query_port(3)}.
     */
    public static final int REINIT_SUP = 1 << 18;

    /**
     * Bit: a device management agent runs on the port. Source: {@code IBV_PORT_DEVICE_MGMT_SUP},
     * {@code ibv_query_port(3)}.
     */
    public static final int DEVICE_MGMT_SUP = 1 << 19;

    /**
     * Bit: the node responds to the vendor's management classes. Source: {@code IBV_PORT_VENDOR_CLASS_SUP},
     * {@code ibv_query_port(3)}.
     */
    public static final int VENDOR_CLASS_SUP = 1 << 20;

    /**
     * Bit: the port sends notices about direct routed packets. Source: {@code IBV_PORT_DR_NOTICE_SUP},
     * {@code ibv_query_port(3)}.
     */
    public static final int DR_NOTICE_SUP = 1 << 21;

    /**
     * Bit: the port sends a notice when its capability mask changes. Source: {@code IBV_PORT_CAP_MASK_NOTICE_SUP},
     * {@code ibv_query_port(3)}.
     */
    public static final int CAP_MASK_NOTICE_SUP = 1 << 22;

    /**
     * Bit: a boot management agent runs on the port. Source: {@code IBV_PORT_BOOT_MGMT_SUP}, {@code ibv_query_port(3)}.
     */
    public static final int BOOT_MGMT_SUP = 1 << 23;

    /**
     * Bit: the port can measure the round trip time of its link. Source: {@code IBV_PORT_LINK_LATENCY_SUP},
     * {@code ibv_query_port(3)}.
     */
    public static final int LINK_LATENCY_SUP = 1 << 24;

    /**
     * Bit: the subnet manager can ask the clients of the port to register again. Source:
     * {@code IBV_PORT_CLIENT_REG_SUP}, {@code ibv_query_port(3)}.
     */
    public static final int CLIENT_REG_SUP = 1 << 25;

    private static final String[] NAMES = {
        null,
        "SM",
        "NOTICE_SUP",
        "TRAP_SUP",
        "OPT_IPD_SUP",
        "AUTO_MIGR_SUP",
        "SL_MAP_SUP",
        "MKEY_NVRAM",
        "PKEY_NVRAM",
        "LED_INFO_SUP",
        null,
        "SYS_IMAGE_GUID_SUP",
        "PKEY_SW_EXT_PORT_TRAP_SUP",
        null,
        "EXTENDED_SPEEDS_SUP",
        null,
        "CM_SUP",
        "SNMP_TUNNEL_SUP",
        "REINIT_SUP",
        "DEVICE_MGMT_SUP",
        "VENDOR_CLASS_SUP",
        "DR_NOTICE_SUP",
        "CAP_MASK_NOTICE_SUP",
        "BOOT_MGMT_SUP",
        "LINK_LATENCY_SUP",
        "CLIENT_REG_SUP",
    };

    private PortCap() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param caps bits of this class
     * @return for instance {@code "SM|NOTICE_SUP"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(int caps) {
        return DeviceCap.join(caps, NAMES);
    }
}
