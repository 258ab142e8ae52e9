/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A filter of a {@link Flow}: the IPv6 header.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_ipv6}, {@code ibv_create_flow(3)}. Not thread-safe.
 */
public final class FlowSpecIpv6 extends FlowFilter {
    private static final int SRC_IP = 0;
    private static final int DST_IP = 16;
    private static final int FLOW_LABEL = 32;
    private static final int NEXT_HDR = 36;
    private static final int TRAFFIC_CLASS = 37;
    private static final int HOP_LIMIT = 38;

    /** Creates a filter that matches all packets. */
    public FlowSpecIpv6() {
        super(FlowSpecType.IPV6, 40);
    }

    /**
     * Sets {@link #isInner()}.
     *
     * @param value whether it applies to the packet inside a tunnel
     * @return this
     */
    public FlowSpecIpv6 inner(boolean value) {
        setInner(value);
        return this;
    }

    /** {@return the source address, 16 bytes} */
    public byte[] srcIp() {
        return bytesOfValue(SRC_IP, 16);
    }

    /** {@return the bits of {@link #srcIp()} that must match} */
    public byte[] srcIpMask() {
        return bytesOfMask(SRC_IP, 16);
    }

    /**
     * Sets {@link #srcIp()} and requires all its bits to match.
     *
     * @param value the source address, 16 bytes
     * @return this
     */
    public FlowSpecIpv6 srcIp(byte[] value) {
        return srcIp(value, all(16));
    }

    /**
     * Sets {@link #srcIp()} and {@link #srcIpMask()}.
     *
     * @param value the source address, 16 bytes
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecIpv6 srcIp(byte[] value, byte[] mask) {
        bytes("srcIp", SRC_IP, 16, value, mask);
        return this;
    }

    /** {@return the destination address, 16 bytes} */
    public byte[] dstIp() {
        return bytesOfValue(DST_IP, 16);
    }

    /** {@return the bits of {@link #dstIp()} that must match} */
    public byte[] dstIpMask() {
        return bytesOfMask(DST_IP, 16);
    }

    /**
     * Sets {@link #dstIp()} and requires all its bits to match.
     *
     * @param value the destination address, 16 bytes
     * @return this
     */
    public FlowSpecIpv6 dstIp(byte[] value) {
        return dstIp(value, all(16));
    }

    /**
     * Sets {@link #dstIp()} and {@link #dstIpMask()}.
     *
     * @param value the destination address, 16 bytes
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecIpv6 dstIp(byte[] value, byte[] mask) {
        bytes("dstIp", DST_IP, 16, value, mask);
        return this;
    }

    /** {@return the flow label} */
    public int flowLabel() {
        return numberOfValue(FLOW_LABEL, 4);
    }

    /** {@return the bits of {@link #flowLabel()} that must match} */
    public int flowLabelMask() {
        return numberOfMask(FLOW_LABEL, 4);
    }

    /**
     * Sets {@link #flowLabel()} and requires all its bits to match.
     *
     * @param value the flow label
     * @return this
     */
    public FlowSpecIpv6 flowLabel(int value) {
        return flowLabel(value, -1);
    }

    /**
     * Sets {@link #flowLabel()} and {@link #flowLabelMask()}.
     *
     * @param value the flow label
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecIpv6 flowLabel(int value, int mask) {
        number("flowLabel", FLOW_LABEL, 4, value, mask);
        return this;
    }

    /** {@return the type of the next header} */
    public int nextHdr() {
        return numberOfValue(NEXT_HDR, 1);
    }

    /** {@return the bits of {@link #nextHdr()} that must match} */
    public int nextHdrMask() {
        return numberOfMask(NEXT_HDR, 1);
    }

    /**
     * Sets {@link #nextHdr()} and requires all its bits to match.
     *
     * @param value the type of the next header
     * @return this
     */
    public FlowSpecIpv6 nextHdr(int value) {
        return nextHdr(value, 0xff);
    }

    /**
     * Sets {@link #nextHdr()} and {@link #nextHdrMask()}.
     *
     * @param value the type of the next header
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecIpv6 nextHdr(int value, int mask) {
        number("nextHdr", NEXT_HDR, 1, value, mask);
        return this;
    }

    /** {@return the traffic class} */
    public int trafficClass() {
        return numberOfValue(TRAFFIC_CLASS, 1);
    }

    /** {@return the bits of {@link #trafficClass()} that must match} */
    public int trafficClassMask() {
        return numberOfMask(TRAFFIC_CLASS, 1);
    }

    /**
     * Sets {@link #trafficClass()} and requires all its bits to match.
     *
     * @param value the traffic class
     * @return this
     */
    public FlowSpecIpv6 trafficClass(int value) {
        return trafficClass(value, 0xff);
    }

    /**
     * Sets {@link #trafficClass()} and {@link #trafficClassMask()}.
     *
     * @param value the traffic class
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecIpv6 trafficClass(int value, int mask) {
        number("trafficClass", TRAFFIC_CLASS, 1, value, mask);
        return this;
    }

    /** {@return the hop limit} */
    public int hopLimit() {
        return numberOfValue(HOP_LIMIT, 1);
    }

    /** {@return the bits of {@link #hopLimit()} that must match} */
    public int hopLimitMask() {
        return numberOfMask(HOP_LIMIT, 1);
    }

    /**
     * Sets {@link #hopLimit()} and requires all its bits to match.
     *
     * @param value the hop limit
     * @return this
     */
    public FlowSpecIpv6 hopLimit(int value) {
        return hopLimit(value, 0xff);
    }

    /**
     * Sets {@link #hopLimit()} and {@link #hopLimitMask()}.
     *
     * @param value the hop limit
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecIpv6 hopLimit(int value, int mask) {
        number("hopLimit", HOP_LIMIT, 1, value, mask);
        return this;
    }
}
