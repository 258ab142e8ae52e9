/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A filter of a {@link Flow}: the IPv4 addresses.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_ipv4}, {@code ibv_create_flow(3)}. Not thread-safe.
 */
public final class FlowSpecIpv4 extends FlowFilter {
    private static final int SRC_IP = 0;
    private static final int DST_IP = 4;

    /** Creates a filter that matches all packets. */
    public FlowSpecIpv4() {
        super(FlowSpecType.IPV4, 8);
    }

    /**
     * Sets {@link #isInner()}.
     *
     * @param value whether it applies to the packet inside a tunnel
     * @return this
     */
    public FlowSpecIpv4 inner(boolean value) {
        setInner(value);
        return this;
    }

    /** {@return the source address, 4 bytes} */
    public byte[] srcIp() {
        return bytesOfValue(SRC_IP, 4);
    }

    /** {@return the bits of {@link #srcIp()} that must match} */
    public byte[] srcIpMask() {
        return bytesOfMask(SRC_IP, 4);
    }

    /**
     * Sets {@link #srcIp()} and requires all its bits to match.
     *
     * @param value the source address, 4 bytes
     * @return this
     */
    public FlowSpecIpv4 srcIp(byte[] value) {
        return srcIp(value, all(4));
    }

    /**
     * Sets {@link #srcIp()} and {@link #srcIpMask()}.
     *
     * @param value the source address, 4 bytes
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecIpv4 srcIp(byte[] value, byte[] mask) {
        bytes("srcIp", SRC_IP, 4, value, mask);
        return this;
    }

    /** {@return the destination address, 4 bytes} */
    public byte[] dstIp() {
        return bytesOfValue(DST_IP, 4);
    }

    /** {@return the bits of {@link #dstIp()} that must match} */
    public byte[] dstIpMask() {
        return bytesOfMask(DST_IP, 4);
    }

    /**
     * Sets {@link #dstIp()} and requires all its bits to match.
     *
     * @param value the destination address, 4 bytes
     * @return this
     */
    public FlowSpecIpv4 dstIp(byte[] value) {
        return dstIp(value, all(4));
    }

    /**
     * Sets {@link #dstIp()} and {@link #dstIpMask()}.
     *
     * @param value the destination address, 4 bytes
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecIpv4 dstIp(byte[] value, byte[] mask) {
        bytes("dstIp", DST_IP, 4, value, mask);
        return this;
    }
}
