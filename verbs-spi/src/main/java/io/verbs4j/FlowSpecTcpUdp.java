/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A filter of a {@link Flow}: the ports of TCP or UDP.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_tcp_udp}, {@code ibv_create_flow(3)}. Not thread-safe.
 */
public final class FlowSpecTcpUdp extends FlowFilter {
    private static final int DST_PORT = 0;
    private static final int SRC_PORT = 2;

    private FlowSpecTcpUdp(int type) {
        super(type, 4);
    }

    /**
     * Creates a filter that matches all TCP packets.
     *
     * @return a new instance
     */
    public static FlowSpecTcpUdp tcp() {
        return new FlowSpecTcpUdp(FlowSpecType.TCP);
    }

    /**
     * Creates a filter that matches all UDP packets.
     *
     * @return a new instance
     */
    public static FlowSpecTcpUdp udp() {
        return new FlowSpecTcpUdp(FlowSpecType.UDP);
    }

    /**
     * Sets {@link #isInner()}.
     *
     * @param value whether it applies to the packet inside a tunnel
     * @return this
     */
    public FlowSpecTcpUdp inner(boolean value) {
        setInner(value);
        return this;
    }

    /** {@return the destination port} */
    public int dstPort() {
        return numberOfValue(DST_PORT, 2);
    }

    /** {@return the bits of {@link #dstPort()} that must match} */
    public int dstPortMask() {
        return numberOfMask(DST_PORT, 2);
    }

    /**
     * Sets {@link #dstPort()} and requires all its bits to match.
     *
     * @param value the destination port
     * @return this
     */
    public FlowSpecTcpUdp dstPort(int value) {
        return dstPort(value, 0xffff);
    }

    /**
     * Sets {@link #dstPort()} and {@link #dstPortMask()}.
     *
     * @param value the destination port
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecTcpUdp dstPort(int value, int mask) {
        number("dstPort", DST_PORT, 2, value, mask);
        return this;
    }

    /** {@return the source port} */
    public int srcPort() {
        return numberOfValue(SRC_PORT, 2);
    }

    /** {@return the bits of {@link #srcPort()} that must match} */
    public int srcPortMask() {
        return numberOfMask(SRC_PORT, 2);
    }

    /**
     * Sets {@link #srcPort()} and requires all its bits to match.
     *
     * @param value the source port
     * @return this
     */
    public FlowSpecTcpUdp srcPort(int value) {
        return srcPort(value, 0xffff);
    }

    /**
     * Sets {@link #srcPort()} and {@link #srcPortMask()}.
     *
     * @param value the source port
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecTcpUdp srcPort(int value, int mask) {
        number("srcPort", SRC_PORT, 2, value, mask);
        return this;
    }
}
