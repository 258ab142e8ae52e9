/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that request special behaviour of a queue pair: {@link QpInitAttrEx#createFlags(int)}.
 * {@link DeviceAttrEx#qpCreateFlags()} reports which ones a device supports.
 *
 * <pre>
 *   31          | 30 .. 28            | 27 ......... 0
 *   never used  | optional: ignored   | required: EOPNOTSUPP
 *               | if unknown          | if unknown or unsupported
 * </pre>
 *
 * <p>Since level 3. Source: {@code enum ibv_qp_create_flags}, {@code ibv_create_qp_ex(3)}.
 */
public final class QpCreateFlags {
    /**
     * Bit: multicasts that the queue pair sends are not delivered to itself; UD. Source:
     * {@code IBV_QP_CREATE_BLOCK_SELF_MCAST_LB}.
     */
    public static final int BLOCK_SELF_MCAST_LB = 1 << 1;

    /**
     * Bit: the queue pair may wait for completion queues and enable other queue pairs. Source:
     * {@code IB_QP_CREATE_CROSS_CHANNEL} of the Linux kernel.
     */
    public static final int CROSS_CHANNEL = 1 << 2;

    /**
     * Bit: posted sends start only when {@link WrOpcode#SEND_ENABLE} of another queue pair enables them. Source:
     * {@code IB_QP_CREATE_MANAGED_SEND}.
     */
    public static final int MANAGED_SEND = 1 << 3;

    /**
     * Bit: posted receives are used only when {@link WrOpcode#RECV_ENABLE} of another queue pair enables them. Source:
     * {@code IB_QP_CREATE_MANAGED_RECV}.
     */
    public static final int MANAGED_RECV = 1 << 4;

    /**
     * Bit: the frame check sequence is received too; raw packets. Since level 4. Source:
     * {@code IBV_QP_CREATE_SCATTER_FCS}.
     */
    public static final int SCATTER_FCS = 1 << 8;

    /**
     * Bit: the VLAN tag of a received packet is stripped; raw packets. Since level 4. Source:
     * {@code IBV_QP_CREATE_CVLAN_STRIPPING}.
     */
    public static final int CVLAN_STRIPPING = 1 << 9;

    /**
     * Bit: the device may write beyond the end of a packet, up to a full cache line. Since level 4. Source:
     * {@code IBV_QP_CREATE_PCI_WRITE_END_PADDING}.
     */
    public static final int PCI_WRITE_END_PADDING = 1 << 11;

    /**
     * Bit, optional: latency matters more than processor time; a device that supports it does not sleep between
     * messages. {@link DeviceAttrEx#qpCreateFlags()} reports whether it is honoured. verbs4j's own.
     */
    public static final int LOW_LATENCY = 1 << 28;

    /** Bits that a library or provider ignores if it does not know them. */
    public static final int OPTIONAL_RANGE = 0x7000_0000;

    private static final String[] NAMES = {
        null,
        "BLOCK_SELF_MCAST_LB",
        "CROSS_CHANNEL",
        "MANAGED_SEND",
        "MANAGED_RECV",
        null,
        null,
        null,
        "SCATTER_FCS",
        "CVLAN_STRIPPING",
        null,
        "PCI_WRITE_END_PADDING",
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        "LOW_LATENCY",
    };

    private QpCreateFlags() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "BLOCK_SELF_MCAST_LB"}; {@code "0"} if no bit is set; bits without a name come last,
     *     as one hexadecimal number
     */
    public static String toString(int bits) {
        return DeviceCap.join(bits, NAMES);
    }
}
