/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A filter of a {@link Flow}: the Ethernet header.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_eth}, ibv_create_flow(3). Not thread-safe.
 */
public final class FlowSpecEth extends FlowFilter {
    private static final int DST_MAC = 0;
    private static final int SRC_MAC = 6;
    private static final int ETHER_TYPE = 12;
    private static final int VLAN_TAG = 14;

    /** Creates a filter that all match. */
    public FlowSpecEth() {
        super(FlowSpecType.ETH, 16);
    }

    /**
     * Sets {@link #isInner()}.
     *
     * @param value whether it is of the packet inside a tunnel
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

    /** {@return which bits of {@link #dstMac()} count} */
    public byte[] dstMacMask() {
        return bytesOfMask(DST_MAC, 6);
    }

    /**
     * Sets {@link #dstMac()}, of which all bits count.
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
     * @param mask which bits of it count
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

    /** {@return which bits of {@link #srcMac()} count} */
    public byte[] srcMacMask() {
        return bytesOfMask(SRC_MAC, 6);
    }

    /**
     * Sets {@link #srcMac()}, of which all bits count.
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
     * @param mask which bits of it count
     * @return this
     */
    public FlowSpecEth srcMac(byte[] value, byte[] mask) {
        bytes("srcMac", SRC_MAC, 6, value, mask);
        return this;
    }

    /** {@return the type of what is in the frame} */
    public int etherType() {
        return numberOfValue(ETHER_TYPE, 2);
    }

    /** {@return which bits of {@link #etherType()} count} */
    public int etherTypeMask() {
        return numberOfMask(ETHER_TYPE, 2);
    }

    /**
     * Sets {@link #etherType()}, of which all bits count.
     *
     * @param value the type of what is in the frame
     * @return this
     */
    public FlowSpecEth etherType(int value) {
        return etherType(value, 0xffff);
    }

    /**
     * Sets {@link #etherType()} and {@link #etherTypeMask()}.
     *
     * @param value the type of what is in the frame
     * @param mask which bits of it count
     * @return this
     */
    public FlowSpecEth etherType(int value, int mask) {
        number("etherType", ETHER_TYPE, 2, value, mask);
        return this;
    }

    /** {@return the tag of the VLAN: priority 3 bits, CFI 1, number 12} */
    public int vlanTag() {
        return numberOfValue(VLAN_TAG, 2);
    }

    /** {@return which bits of {@link #vlanTag()} count} */
    public int vlanTagMask() {
        return numberOfMask(VLAN_TAG, 2);
    }

    /**
     * Sets {@link #vlanTag()}, of which all bits count.
     *
     * @param value the tag of the VLAN: priority 3 bits, CFI 1, number 12
     * @return this
     */
    public FlowSpecEth vlanTag(int value) {
        return vlanTag(value, 0xffff);
    }

    /**
     * Sets {@link #vlanTag()} and {@link #vlanTagMask()}.
     *
     * @param value the tag of the VLAN: priority 3 bits, CFI 1, number 12
     * @param mask which bits of it count
     * @return this
     */
    public FlowSpecEth vlanTag(int value, int mask) {
        number("vlanTag", VLAN_TAG, 2, value, mask);
        return this;
    }
}
