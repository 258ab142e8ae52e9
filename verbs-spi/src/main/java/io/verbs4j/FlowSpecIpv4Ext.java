/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A filter of a {@link Flow}: the header of IPv4.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_ipv4_ext}, ibv_create_flow(3). Not thread-safe.
 */
public final class FlowSpecIpv4Ext extends FlowFilter {
    private static final int SRC_IP = 0;
    private static final int DST_IP = 4;
    private static final int PROTO = 8;
    private static final int TOS = 9;
    private static final int TTL = 10;
    private static final int FLAGS = 11;

    /** Creates a filter that all match. */
    public FlowSpecIpv4Ext() {
        super(FlowSpecType.IPV4_EXT, 12);
    }

    /**
     * Sets {@link #isInner()}.
     *
     * @param value whether it is of the packet inside a tunnel
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
    public FlowSpecIpv4Ext srcIp(byte[] value) {
        return srcIp(value, all(4));
    }

    /**
     * Sets {@link #srcIp()} and {@link #srcIpMask()}.
     *
     * @param value the source address, 4 bytes
     * @param mask which bits of it count
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
    public FlowSpecIpv4Ext dstIp(byte[] value) {
        return dstIp(value, all(4));
    }

    /**
     * Sets {@link #dstIp()} and {@link #dstIpMask()}.
     *
     * @param value the destination address, 4 bytes
     * @param mask which bits of it count
     * @return this
     */
    public FlowSpecIpv4Ext dstIp(byte[] value, byte[] mask) {
        bytes("dstIp", DST_IP, 4, value, mask);
        return this;
    }

    /** {@return the protocol of what is in the packet} */
    public int proto() {
        return numberOfValue(PROTO, 1);
    }

    /** {@return which bits of {@link #proto()} count} */
    public int protoMask() {
        return numberOfMask(PROTO, 1);
    }

    /**
     * Sets {@link #proto()}, of which all bits count.
     *
     * @param value the protocol of what is in the packet
     * @return this
     */
    public FlowSpecIpv4Ext proto(int value) {
        return proto(value, 0xff);
    }

    /**
     * Sets {@link #proto()} and {@link #protoMask()}.
     *
     * @param value the protocol of what is in the packet
     * @param mask which bits of it count
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

    /** {@return which bits of {@link #tos()} count} */
    public int tosMask() {
        return numberOfMask(TOS, 1);
    }

    /**
     * Sets {@link #tos()}, of which all bits count.
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
     * @param mask which bits of it count
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

    /** {@return which bits of {@link #ttl()} count} */
    public int ttlMask() {
        return numberOfMask(TTL, 1);
    }

    /**
     * Sets {@link #ttl()}, of which all bits count.
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
     * @param mask which bits of it count
     * @return this
     */
    public FlowSpecIpv4Ext ttl(int value, int mask) {
        number("ttl", TTL, 1, value, mask);
        return this;
    }

    /** {@return the flags of fragments} */
    public int flags() {
        return numberOfValue(FLAGS, 1);
    }

    /** {@return which bits of {@link #flags()} count} */
    public int flagsMask() {
        return numberOfMask(FLAGS, 1);
    }

    /**
     * Sets {@link #flags()}, of which all bits count.
     *
     * @param value the flags of fragments
     * @return this
     */
    public FlowSpecIpv4Ext flags(int value) {
        return flags(value, 0xff);
    }

    /**
     * Sets {@link #flags()} and {@link #flagsMask()}.
     *
     * @param value the flags of fragments
     * @param mask which bits of it count
     * @return this
     */
    public FlowSpecIpv4Ext flags(int value, int mask) {
        number("flags", FLAGS, 1, value, mask);
        return this;
    }
}
