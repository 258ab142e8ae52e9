/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that report which optional features a device has.
 *
 * <p>A value is the OR of any of the constants. A device newer than this class may set further bits. Source:
 * {@code ibv_query_device(3)}.
 */
public final class DeviceCap {
    /**
     * Bit: the work request limits of an existing queue pair can be changed. Source: {@code IBV_DEVICE_RESIZE_MAX_WR},
     * {@code ibv_query_device(3)}.
     */
    public static final int RESIZE_MAX_WR = 1 << 0;

    /**
     * Bit: each port counts the packets that arrive with a wrong P_Key. Source: {@code IBV_DEVICE_BAD_PKEY_CNTR},
     * {@code ibv_query_device(3)}.
     */
    public static final int BAD_PKEY_CNTR = 1 << 1;

    /**
     * Bit: each port counts the packets that arrive with a wrong Q_Key. Source: {@code IBV_DEVICE_BAD_QKEY_CNTR},
     * {@code ibv_query_device(3)}.
     */
    public static final int BAD_QKEY_CNTR = 1 << 2;

    /**
     * Bit: raw packets can be sent to multicast groups. Source: {@code IBV_DEVICE_RAW_MULTI},
     * {@code ibv_query_device(3)}.
     */
    public static final int RAW_MULTI = 1 << 3;

    /**
     * Bit: a connection can migrate to its alternate path by itself. Source: {@code IBV_DEVICE_AUTO_PATH_MIG},
     * {@code ibv_query_device(3)}.
     */
    public static final int AUTO_PATH_MIG = 1 << 4;

    /**
     * Bit: the port of a queue pair can be changed while its send queue is drained. Source:
     * {@code IBV_DEVICE_CHANGE_PHY_PORT}, {@code ibv_query_device(3)}.
     */
    public static final int CHANGE_PHY_PORT = 1 << 5;

    /**
     * Bit: the port of an address handle is compared with the port of the UD queue pair that uses it. Source:
     * {@code IBV_DEVICE_UD_AV_PORT_ENFORCE}, {@code ibv_query_device(3)}.
     */
    public static final int UD_AV_PORT_ENFORCE = 1 << 6;

    /**
     * Bit: a change of a queue pair can specify the state that it expects the queue pair to be in. Source:
     * {@code IBV_DEVICE_CURR_QP_STATE_MOD}, {@code ibv_query_device(3)}.
     */
    public static final int CURR_QP_STATE_MOD = 1 << 7;

    /**
     * Bit: a port can be shut down by software. Source: {@code IBV_DEVICE_SHUTDOWN_PORT}, {@code ibv_query_device(3)}.
     */
    public static final int SHUTDOWN_PORT = 1 << 8;

    /**
     * Bit: a port supports the kinds of initialisation that a subnet manager offers. Source:
     * {@code IBV_DEVICE_INIT_TYPE}, {@code ibv_query_device(3)}.
     */
    public static final int INIT_TYPE = 1 << 9;

    /**
     * Bit: an asynchronous event reports that a port became active. Source: {@code IBV_DEVICE_PORT_ACTIVE_EVENT},
     * {@code ibv_query_device(3)}.
     */
    public static final int PORT_ACTIVE_EVENT = 1 << 10;

    /**
     * Bit: the device has a system image GUID, equal on all devices of one system. Source:
     * {@code IBV_DEVICE_SYS_IMAGE_GUID}, {@code ibv_query_device(3)}.
     */
    public static final int SYS_IMAGE_GUID = 1 << 11;

    /**
     * Bit: an RC queue pair responds with a receiver-not-ready NAK when it has no receive request. Source:
     * {@code IBV_DEVICE_RC_RNR_NAK_GEN}, {@code ibv_query_device(3)}.
     */
    public static final int RC_RNR_NAK_GEN = 1 << 12;

    /**
     * Bit: the size of an existing shared receive queue can be changed. Source: {@code IBV_DEVICE_SRQ_RESIZE},
     * {@code ibv_query_device(3)}.
     */
    public static final int SRQ_RESIZE = 1 << 13;

    /**
     * Bit: a completion queue can notify after N completions instead of after each. Source:
     * {@code IBV_DEVICE_N_NOTIFY_CQ}, {@code ibv_query_device(3)}.
     */
    public static final int N_NOTIFY_CQ = 1 << 14;

    /**
     * Bit: memory windows of type 1 can be allocated and bound. Source: {@code IBV_DEVICE_MEM_WINDOW},
     * {@code ibv_query_device(3)}.
     */
    public static final int MEM_WINDOW = 1 << 17;

    /**
     * Bit: extended reliable connections. Since level 2. Source: {@code IBV_DEVICE_XRC}, {@code ibv_query_device(3)}.
     */
    public static final int XRC = 1 << 20;

    /**
     * Bit: checksums of IP packets on UD are computed and checked. Since level 3. Source:
     * {@code IBV_DEVICE_UD_IP_CSUM}, {@code ibv_query_device_ex(3)}.
     */
    public static final int UD_IP_CSUM = 1 << 18;

    /**
     * Bit: memory management extensions: local invalidate, send with invalidate, fast register, windows of type 2.
     * Since level 3. Source: {@code IBV_DEVICE_MEM_MGT_EXTENSIONS}, {@code ibv_query_device_ex(3)}.
     */
    public static final int MEM_MGT_EXTENSIONS = 1 << 21;

    /**
     * Bit: memory windows of type 2A: tied to the number of a queue pair. Since level 3. Source:
     * {@code IBV_DEVICE_MEM_WINDOW_TYPE_2A}, {@code ibv_query_device_ex(3)}.
     */
    public static final int MEM_WINDOW_TYPE_2A = 1 << 23;

    /**
     * Bit: memory windows of type 2B: tied to a queue pair and its protection domain. Since level 3. Source:
     * {@code IBV_DEVICE_MEM_WINDOW_TYPE_2B}, {@code ibv_query_device_ex(3)}.
     */
    public static final int MEM_WINDOW_TYPE_2B = 1 << 24;

    /**
     * Bit: checksums of IP packets on RC are computed and checked. Since level 3. Source:
     * {@code IBV_DEVICE_RC_IP_CSUM}, {@code ibv_query_device_ex(3)}.
     */
    public static final int RC_IP_CSUM = 1 << 25;

    /**
     * Bit: checksums of raw packets are computed and checked. Since level 3. Source: {@code IBV_DEVICE_RAW_IP_CSUM},
     * {@code ibv_query_device_ex(3)}.
     */
    public static final int RAW_IP_CSUM = 1 << 26;

    /**
     * Bit: received packets can be steered by rules. Since level 3. Source: {@code IBV_DEVICE_MANAGED_FLOW_STEERING},
     * {@code ibv_query_device_ex(3)}.
     */
    public static final int MANAGED_FLOW_STEERING = 1 << 29;

    /**
     * Bit: the frame check sequence of raw packets can be received. Since level 3. Source:
     * {@code IBV_DEVICE_RAW_SCATTER_FCS}, {@code ibv_query_device_ex(3)}.
     */
    public static final long RAW_SCATTER_FCS = 1L << 34;

    /**
     * Bit: writes on the bus can be padded to a cache line. Since level 3. Source:
     * {@code IBV_DEVICE_PCI_WRITE_END_PADDING}, {@code ibv_query_device_ex(3)}.
     */
    public static final long PCI_WRITE_END_PADDING = 1L << 36;

    /**
     * Bit: flush: written data is visible to all. Since level 3. Source: {@code IB_UVERBS_DEVICE_FLUSH_GLOBAL},
     * {@code ibv_query_device_ex(3)}.
     */
    public static final long FLUSH_GLOBAL = 1L << 38;

    /**
     * Bit: flush: written data outlives a loss of power. Since level 3. Source:
     * {@code IB_UVERBS_DEVICE_FLUSH_PERSISTENT}, {@code ibv_query_device_ex(3)}.
     */
    public static final long FLUSH_PERSISTENT = 1L << 39;

    /**
     * Bit: atomic write. Since level 3. Source: {@code IB_UVERBS_DEVICE_ATOMIC_WRITE}, {@code ibv_query_device_ex(3)}.
     */
    public static final long ATOMIC_WRITE = 1L << 40;

    /**
     * Bit: fast register accepts pieces of memory of any length and at any address, not only whole pages. Since level
     * 3. Bits 56 to 62 are verbs4j's own. Source: {@code IB_DEVICE_SG_GAPS_REG}, and the block lists of the InfiniBand
     * specification.
     */
    public static final long BLOCK_LIST = 1L << 56;

    private static final String[] NAMES = {
        "RESIZE_MAX_WR",
        "BAD_PKEY_CNTR",
        "BAD_QKEY_CNTR",
        "RAW_MULTI",
        "AUTO_PATH_MIG",
        "CHANGE_PHY_PORT",
        "UD_AV_PORT_ENFORCE",
        "CURR_QP_STATE_MOD",
        "SHUTDOWN_PORT",
        "INIT_TYPE",
        "PORT_ACTIVE_EVENT",
        "SYS_IMAGE_GUID",
        "RC_RNR_NAK_GEN",
        "SRQ_RESIZE",
        "N_NOTIFY_CQ",
        null,
        null,
        "MEM_WINDOW",
        "UD_IP_CSUM",
        null,
        "XRC",
        "MEM_MGT_EXTENSIONS",
        null,
        "MEM_WINDOW_TYPE_2A",
        "MEM_WINDOW_TYPE_2B",
        "RC_IP_CSUM",
        "RAW_IP_CSUM",
        null,
        null,
        "MANAGED_FLOW_STEERING",
        null,
        null,
        null,
        null,
        "RAW_SCATTER_FCS",
        null,
        "PCI_WRITE_END_PADDING",
        null,
        "FLUSH_GLOBAL",
        "FLUSH_PERSISTENT",
        "ATOMIC_WRITE",
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
        "BLOCK_LIST",
    };

    private DeviceCap() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param caps bits of this class
     * @return for instance {@code "RESIZE_MAX_WR|BAD_PKEY_CNTR"}; {@code "0"} if no bit is set; bits without a name
     *     come last, as one hexadecimal number
     */
    public static String toString(int caps) {
        return join(caps, NAMES);
    }

    /**
     * Returns the names of the bits that are set in {@link DeviceAttr#deviceCaps()}, as {@link #toString(int)}.
     *
     * @param caps bits of this class
     * @return the names
     */
    public static String toString(long caps) {
        return InputAttr.join(caps, NAMES);
    }

    /**
     * Joins the names of the bits that are set; used by all classes of bits in this package.
     *
     * @param bits the bits
     * @param names the name of each bit by its number, null if a bit has none
     * @return the names joined by {@code |}
     */
    static String join(int bits, String[] names) {
        return InputAttr.join(Integer.toUnsignedLong(bits), names);
    }
}
