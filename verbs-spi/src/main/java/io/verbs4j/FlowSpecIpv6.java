/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A filter of a {@link Flow}: the header of IPv6.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_ipv6}, ibv_create_flow(3). Not thread-safe.
 */
public final class FlowSpecIpv6 extends FlowFilter {
    private static final int SRC_IP = 0;
    private static final int DST_IP = 16;
    private static final int FLOW_LABEL = 32;
    private static final int NEXT_HDR = 36;
    private static final int TRAFFIC_CLASS = 37;
    private static final int HOP_LIMIT = 38;

    /** Creates a filter that all match. */
    public FlowSpecIpv6() {
        super(FlowSpecType.IPV6, 40);
    }

    /**
     * Sets {@link #isInner()}.
     *
     * @param value whether it is of the packet inside a tunnel
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

    /** {@return which bits of {@link #srcIp()} count} */
    public byte[] srcIpMask() {
        return bytesOfMask(SRC_IP, 16);
    }

    /**
     * Sets {@link #srcIp()}, of which all bits count.
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
     * @param mask which bits of it count
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

    /** {@return which bits of {@link #dstIp()} count} */
    public byte[] dstIpMask() {
        return bytesOfMask(DST_IP, 16);
    }

    /**
     * Sets {@link #dstIp()}, of which all bits count.
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
     * @param mask which bits of it count
     * @return this
     */
    public FlowSpecIpv6 dstIp(byte[] value, byte[] mask) {
        bytes("dstIp", DST_IP, 16, value, mask);
        return this;
    }

    /** {@return the label of the flow} */
    public int flowLabel() {
        return numberOfValue(FLOW_LABEL, 4);
    }

    /** {@return which bits of {@link #flowLabel()} count} */
    public int flowLabelMask() {
        return numberOfMask(FLOW_LABEL, 4);
    }

    /**
     * Sets {@link #flowLabel()}, of which all bits count.
     *
     * @param value the label of the flow
     * @return this
     */
    public FlowSpecIpv6 flowLabel(int value) {
        return flowLabel(value, -1);
    }

    /**
     * Sets {@link #flowLabel()} and {@link #flowLabelMask()}.
     *
     * @param value the label of the flow
     * @param mask which bits of it count
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

    /** {@return which bits of {@link #nextHdr()} count} */
    public int nextHdrMask() {
        return numberOfMask(NEXT_HDR, 1);
    }

    /**
     * Sets {@link #nextHdr()}, of which all bits count.
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
     * @param mask which bits of it count
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

    /** {@return which bits of {@link #trafficClass()} count} */
    public int trafficClassMask() {
        return numberOfMask(TRAFFIC_CLASS, 1);
    }

    /**
     * Sets {@link #trafficClass()}, of which all bits count.
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
     * @param mask which bits of it count
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

    /** {@return which bits of {@link #hopLimit()} count} */
    public int hopLimitMask() {
        return numberOfMask(HOP_LIMIT, 1);
    }

    /**
     * Sets {@link #hopLimit()}, of which all bits count.
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
     * @param mask which bits of it count
     * @return this
     */
    public FlowSpecIpv6 hopLimit(int value, int mask) {
        number("hopLimit", HOP_LIMIT, 1, value, mask);
        return this;
    }
}
