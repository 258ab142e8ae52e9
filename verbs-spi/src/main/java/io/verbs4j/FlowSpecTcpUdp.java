/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A filter of a {@link Flow}: the ports of TCP or UDP.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_tcp_udp}, ibv_create_flow(3). Not thread-safe.
 */
public final class FlowSpecTcpUdp extends FlowFilter {
    private static final int DST_PORT = 0;
    private static final int SRC_PORT = 2;

    private FlowSpecTcpUdp(int type) {
        super(type, 4);
    }

    /**
     * Creates a filter that all packets of TCP match.
     *
     * @return a new instance
     */
    public static FlowSpecTcpUdp tcp() {
        return new FlowSpecTcpUdp(FlowSpecType.TCP);
    }

    /**
     * Creates a filter that all packets of UDP match.
     *
     * @return a new instance
     */
    public static FlowSpecTcpUdp udp() {
        return new FlowSpecTcpUdp(FlowSpecType.UDP);
    }

    /**
     * Sets {@link #isInner()}.
     *
     * @param value whether it is of the packet inside a tunnel
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

    /** {@return which bits of {@link #dstPort()} count} */
    public int dstPortMask() {
        return numberOfMask(DST_PORT, 2);
    }

    /**
     * Sets {@link #dstPort()}, of which all bits count.
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
     * @param mask which bits of it count
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

    /** {@return which bits of {@link #srcPort()} count} */
    public int srcPortMask() {
        return numberOfMask(SRC_PORT, 2);
    }

    /**
     * Sets {@link #srcPort()}, of which all bits count.
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
     * @param mask which bits of it count
     * @return this
     */
    public FlowSpecTcpUdp srcPort(int value, int mask) {
        number("srcPort", SRC_PORT, 2, value, mask);
        return this;
    }
}
