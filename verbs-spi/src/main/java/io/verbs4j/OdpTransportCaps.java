/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Operations of a transport service that support on-demand paging. Since level 3. Source:
 * {@code ibv_query_device_ex(3)}, {@code ibv_odp_transport_cap_bits}.
 */
public final class OdpTransportCaps {
    /** Bit: send. Source: {@code IBV_ODP_SUPPORT_SEND}, {@code ibv_query_device_ex(3)}. */
    public static final int SEND = 1 << 0;

    /** Bit: receive. Source: {@code IBV_ODP_SUPPORT_RECV}, {@code ibv_query_device_ex(3)}. */
    public static final int RECV = 1 << 1;

    /** Bit: RDMA write. Source: {@code IBV_ODP_SUPPORT_WRITE}, {@code ibv_query_device_ex(3)}. */
    public static final int WRITE = 1 << 2;

    /** Bit: RDMA read. Source: {@code IBV_ODP_SUPPORT_READ}, {@code ibv_query_device_ex(3)}. */
    public static final int READ = 1 << 3;

    /** Bit: atomics. Source: {@code IBV_ODP_SUPPORT_ATOMIC}, {@code ibv_query_device_ex(3)}. */
    public static final int ATOMIC = 1 << 4;

    /**
     * Bit: receive through a shared receive queue. Source: {@code IBV_ODP_SUPPORT_SRQ_RECV},
     * {@code ibv_query_device_ex(3)}.
     */
    public static final int SRQ_RECV = 1 << 5;

    /** Bit: flush. Source: {@code IBV_ODP_SUPPORT_FLUSH}, {@code ibv_query_device_ex(3)}. */
    public static final int FLUSH = 1 << 6;

    /** Bit: atomic write. Source: {@code IBV_ODP_SUPPORT_ATOMIC_WRITE}, {@code ibv_query_device_ex(3)}. */
    public static final int ATOMIC_WRITE = 1 << 7;

    private static final String[] NAMES = {
        "SEND", "RECV", "WRITE", "READ", "ATOMIC", "SRQ_RECV", "FLUSH", "ATOMIC_WRITE",
    };

    private OdpTransportCaps() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "SEND|RECV"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(int bits) {
        return InputAttr.join(Integer.toUnsignedLong(bits), NAMES);
    }
}
