/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A filter of a {@link Flow}: the Ethernet header.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_eth}, {@code ibv_create_flow(3)}. Not thread-safe.
 */
public final class FlowSpecEth extends FlowFilter {
    private static final int DST_MAC = 0;
    private static final int SRC_MAC = 6;
    private static final int ETHER_TYPE = 12;
    private static final int VLAN_TAG = 14;

    /** Creates a filter that matches all packets. */
    public FlowSpecEth() {
        super(FlowSpecType.ETH, 16);
    }

    /**
     * Sets {@link #isInner()}.
     *
     * @param value whether it applies to the packet inside a tunnel
     * @return this
     */
    public FlowSpecEth inner(boolean value) {
        setInner(value);
        return this;
    }

    /** {@return the destination address, 6 bytes} */
    public byte[] dstMac() {
        return bytesOfValue(DST_MAC, 6);
    }

    /** {@return the bits of {@link #dstMac()} that must match} */
    public byte[] dstMacMask() {
        return bytesOfMask(DST_MAC, 6);
    }

    /**
     * Sets {@link #dstMac()} and requires all its bits to match.
     *
     * @param value the destination address, 6 bytes
     * @return this
     */
    public FlowSpecEth dstMac(byte[] value) {
        return dstMac(value, all(6));
    }

    /**
     * Sets {@link #dstMac()} and {@link #dstMacMask()}.
     *
     * @param value the destination address, 6 bytes
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecEth dstMac(byte[] value, byte[] mask) {
        bytes("dstMac", DST_MAC, 6, value, mask);
        return this;
    }

    /** {@return the source address, 6 bytes} */
    public byte[] srcMac() {
        return bytesOfValue(SRC_MAC, 6);
    }

    /** {@return the bits of {@link #srcMac()} that must match} */
    public byte[] srcMacMask() {
        return bytesOfMask(SRC_MAC, 6);
    }

    /**
     * Sets {@link #srcMac()} and requires all its bits to match.
     *
     * @param value the source address, 6 bytes
     * @return this
     */
    public FlowSpecEth srcMac(byte[] value) {
        return srcMac(value, all(6));
    }

    /**
     * Sets {@link #srcMac()} and {@link #srcMacMask()}.
     *
     * @param value the source address, 6 bytes
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecEth srcMac(byte[] value, byte[] mask) {
        bytes("srcMac", SRC_MAC, 6, value, mask);
        return this;
    }

    /** {@return the Ethertype} */
    public int etherType() {
        return numberOfValue(ETHER_TYPE, 2);
    }

    /** {@return the bits of {@link #etherType()} that must match} */
    public int etherTypeMask() {
        return numberOfMask(ETHER_TYPE, 2);
    }

    /**
     * Sets {@link #etherType()} and requires all its bits to match.
     *
     * @param value the Ethertype
     * @return this
     */
    public FlowSpecEth etherType(int value) {
        return etherType(value, 0xffff);
    }

    /**
     * Sets {@link #etherType()} and {@link #etherTypeMask()}.
     *
     * @param value the Ethertype
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecEth etherType(int value, int mask) {
        number("etherType", ETHER_TYPE, 2, value, mask);
        return this;
    }

    /** {@return the VLAN tag: priority 3 bits, CFI 1, number 12} */
    public int vlanTag() {
        return numberOfValue(VLAN_TAG, 2);
    }

    /** {@return the bits of {@link #vlanTag()} that must match} */
    public int vlanTagMask() {
        return numberOfMask(VLAN_TAG, 2);
    }

    /**
     * Sets {@link #vlanTag()} and requires all its bits to match.
     *
     * @param value the VLAN tag: priority 3 bits, CFI 1, number 12
     * @return this
     */
    public FlowSpecEth vlanTag(int value) {
        return vlanTag(value, 0xffff);
    }

    /**
     * Sets {@link #vlanTag()} and {@link #vlanTagMask()}.
     *
     * @param value the VLAN tag: priority 3 bits, CFI 1, number 12
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecEth vlanTag(int value, int mask) {
        number("vlanTag", VLAN_TAG, 2, value, mask);
        return this;
    }
}
