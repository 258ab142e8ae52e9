/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A filter of a {@link Flow}: the addresses of IPv4.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_ipv4}, ibv_create_flow(3). Not thread-safe.
 */
public final class FlowSpecIpv4 extends FlowFilter {
    private static final int SRC_IP = 0;
    private static final int DST_IP = 4;

    /** Creates a filter that all match. */
    public FlowSpecIpv4() {
        super(FlowSpecType.IPV4, 8);
    }

    /**
     * Sets {@link #isInner()}.
     *
     * @param value whether it is of the packet inside a tunnel
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

    /** {@return which bits of {@link #srcIp()} count} */
    public byte[] srcIpMask() {
        return bytesOfMask(SRC_IP, 4);
    }

    /**
     * Sets {@link #srcIp()}, of which all bits count.
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
     * @param mask which bits of it count
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

    /** {@return which bits of {@link #dstIp()} count} */
    public byte[] dstIpMask() {
        return bytesOfMask(DST_IP, 4);
    }

    /**
     * Sets {@link #dstIp()}, of which all bits count.
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
     * @param mask which bits of it count
     * @return this
     */
    public FlowSpecIpv4 dstIp(byte[] value, byte[] mask) {
        bytes("dstIp", DST_IP, 4, value, mask);
        return this;
    }
}
