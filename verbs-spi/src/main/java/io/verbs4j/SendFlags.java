/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits of a send work request.
 *
 * <p>A value is the OR of any of the constants. A device newer than this class may know further bits. No bit is or will
 * be optional: a provider that does not know one rejects the request. Source: {@code ibv_post_send(3)}.
 */
public final class SendFlags {
    /**
     * Bit: wait for the RDMA reads and atomics posted earlier; RC only. Source: {@code IBV_SEND_FENCE},
     * {@code ibv_post_send(3)}.
     */
    public static final int FENCE = 1 << 0;

    /**
     * Bit: generate a completion on success too, on a queue pair that does not do so for all sends. Source:
     * {@code IBV_SEND_SIGNALED}, {@code ibv_post_send(3)}.
     */
    public static final int SIGNALED = 1 << 1;

    /**
     * Bit: the completion at the peer is solicited; sends and RDMA writes with immediate data only. Source:
     * {@code IBV_SEND_SOLICITED}, {@code ibv_post_send(3)}.
     */
    public static final int SOLICITED = 1 << 2;

    /**
     * Bit: copy the data into the request at once, so that the buffers are free when posting returns; sends and RDMA
     * writes only. Source: {@code IBV_SEND_INLINE}, {@code ibv_post_send(3)}.
     */
    public static final int INLINE = 1 << 3;

    /**
     * Bit: the device computes the checksums of the IP header and of the TCP or UDP packet in it; raw packets and UD,
     * if {@link DeviceAttrEx#rawPacketCaps()} or {@link DeviceCap} say so. Since level 4. Source:
     * {@code IBV_SEND_IP_CSUM}, {@code ibv_post_send(3)}.
     */
    public static final int IP_CSUM = 1 << 4;

    private static final String[] NAMES = {
        "FENCE", "SIGNALED", "SOLICITED", "INLINE", "IP_CSUM",
    };

    private SendFlags() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param flags bits of this class
     * @return for instance {@code "FENCE|SIGNALED"}; {@code "0"} if no bit is set; bits without a name come last, as
     *     one hexadecimal number
     */
    public static String toString(int flags) {
        return DeviceCap.join(flags, NAMES);
    }
}
