/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A filter of a {@link Flow}: the IPv4 header.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_ipv4_ext}, {@code ibv_create_flow(3)}. Not thread-safe.
 */
public final class FlowSpecIpv4Ext extends FlowFilter {
    private static final int SRC_IP = 0;
    private static final int DST_IP = 4;
    private static final int PROTO = 8;
    private static final int TOS = 9;
    private static final int TTL = 10;
    private static final int FLAGS = 11;

    /** Creates a filter that matches all packets. */
    public FlowSpecIpv4Ext() {
        super(FlowSpecType.IPV4_EXT, 12);
    }

    /**
     * Sets {@link #isInner()}.
     *
     * @param value whether it applies to the packet inside a tunnel
     * @return this
     */
    public FlowSpecIpv4Ext inner(boolean value) {
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
    public FlowSpecIpv4Ext srcIp(byte[] value) {
        return srcIp(value, all(4));
    }

    /**
     * Sets {@link #srcIp()} and {@link #srcIpMask()}.
     *
     * @param value the source address, 4 bytes
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecIpv4Ext srcIp(byte[] value, byte[] mask) {
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
    public FlowSpecIpv4Ext dstIp(byte[] value) {
        return dstIp(value, all(4));
    }

    /**
     * Sets {@link #dstIp()} and {@link #dstIpMask()}.
     *
     * @param value the destination address, 4 bytes
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecIpv4Ext dstIp(byte[] value, byte[] mask) {
        bytes("dstIp", DST_IP, 4, value, mask);
        return this;
    }

    /** {@return the protocol of the payload} */
    public int proto() {
        return numberOfValue(PROTO, 1);
    }

    /** {@return the bits of {@link #proto()} that must match} */
    public int protoMask() {
        return numberOfMask(PROTO, 1);
    }

    /**
     * Sets {@link #proto()} and requires all its bits to match.
     *
     * @param value the protocol of the payload
     * @return this
     */
    public FlowSpecIpv4Ext proto(int value) {
        return proto(value, 0xff);
    }

    /**
     * Sets {@link #proto()} and {@link #protoMask()}.
     *
     * @param value the protocol of the payload
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecIpv4Ext proto(int value, int mask) {
        number("proto", PROTO, 1, value, mask);
        return this;
    }

    /** {@return the type of service} */
    public int tos() {
        return numberOfValue(TOS, 1);
    }

    /** {@return the bits of {@link #tos()} that must match} */
    public int tosMask() {
        return numberOfMask(TOS, 1);
    }

    /**
     * Sets {@link #tos()} and requires all its bits to match.
     *
     * @param value the type of service
     * @return this
     */
    public FlowSpecIpv4Ext tos(int value) {
        return tos(value, 0xff);
    }

    /**
     * Sets {@link #tos()} and {@link #tosMask()}.
     *
     * @param value the type of service
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecIpv4Ext tos(int value, int mask) {
        number("tos", TOS, 1, value, mask);
        return this;
    }

    /** {@return the time to live} */
    public int ttl() {
        return numberOfValue(TTL, 1);
    }

    /** {@return the bits of {@link #ttl()} that must match} */
    public int ttlMask() {
        return numberOfMask(TTL, 1);
    }

    /**
     * Sets {@link #ttl()} and requires all its bits to match.
     *
     * @param value the time to live
     * @return this
     */
    public FlowSpecIpv4Ext ttl(int value) {
        return ttl(value, 0xff);
    }

    /**
     * Sets {@link #ttl()} and {@link #ttlMask()}.
     *
     * @param value the time to live
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecIpv4Ext ttl(int value, int mask) {
        number("ttl", TTL, 1, value, mask);
        return this;
    }

    /** {@return the fragmentation flags} */
    public int flags() {
        return numberOfValue(FLAGS, 1);
    }

    /** {@return the bits of {@link #flags()} that must match} */
    public int flagsMask() {
        return numberOfMask(FLAGS, 1);
    }

    /**
     * Sets {@link #flags()} and requires all its bits to match.
     *
     * @param value the fragmentation flags
     * @return this
     */
    public FlowSpecIpv4Ext flags(int value) {
        return flags(value, 0xff);
    }

    /**
     * Sets {@link #flags()} and {@link #flagsMask()}.
     *
     * @param value the fragmentation flags
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecIpv4Ext flags(int value, int mask) {
        number("flags", FLAGS, 1, value, mask);
        return this;
    }
}
