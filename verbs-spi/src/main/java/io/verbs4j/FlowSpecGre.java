/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A filter of a {@link Flow}: the header of a GRE tunnel.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_gre}, {@code ibv_create_flow(3)}. Not thread-safe.
 */
public final class FlowSpecGre extends FlowFilter {
    private static final int C_KS_RES0_VER = 0;
    private static final int PROTOCOL = 2;
    private static final int KEY = 4;

    /** Creates a filter that matches all packets. */
    public FlowSpecGre() {
        super(FlowSpecType.GRE, 8);
    }

    /**
     * Sets {@link #isInner()}.
     *
     * @param value whether it applies to the packet inside a tunnel
     * @return this
     */
    public FlowSpecGre inner(boolean value) {
        setInner(value);
        return this;
    }

    /** {@return the first 16 bits: which fields are present, and the version} */
    public int cKsRes0Ver() {
        return numberOfValue(C_KS_RES0_VER, 2);
    }

    /** {@return the bits of {@link #cKsRes0Ver()} that must match} */
    public int cKsRes0VerMask() {
        return numberOfMask(C_KS_RES0_VER, 2);
    }

    /**
     * Sets {@link #cKsRes0Ver()} and requires all its bits to match.
     *
     * @param value the first 16 bits: which fields are present, and the version
     * @return this
     */
    public FlowSpecGre cKsRes0Ver(int value) {
        return cKsRes0Ver(value, 0xffff);
    }

    /**
     * Sets {@link #cKsRes0Ver()} and {@link #cKsRes0VerMask()}.
     *
     * @param value the first 16 bits: which fields are present, and the version
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecGre cKsRes0Ver(int value, int mask) {
        number("cKsRes0Ver", C_KS_RES0_VER, 2, value, mask);
        return this;
    }

    /** {@return the Ethertype of the packet in the tunnel} */
    public int protocol() {
        return numberOfValue(PROTOCOL, 2);
    }

    /** {@return the bits of {@link #protocol()} that must match} */
    public int protocolMask() {
        return numberOfMask(PROTOCOL, 2);
    }

    /**
     * Sets {@link #protocol()} and requires all its bits to match.
     *
     * @param value the Ethertype of the packet in the tunnel
     * @return this
     */
    public FlowSpecGre protocol(int value) {
        return protocol(value, 0xffff);
    }

    /**
     * Sets {@link #protocol()} and {@link #protocolMask()}.
     *
     * @param value the Ethertype of the packet in the tunnel
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecGre protocol(int value, int mask) {
        number("protocol", PROTOCOL, 2, value, mask);
        return this;
    }

    /** {@return the key} */
    public int key() {
        return numberOfValue(KEY, 4);
    }

    /** {@return the bits of {@link #key()} that must match} */
    public int keyMask() {
        return numberOfMask(KEY, 4);
    }

    /**
     * Sets {@link #key()} and requires all its bits to match.
     *
     * @param value the key
     * @return this
     */
    public FlowSpecGre key(int value) {
        return key(value, -1);
    }

    /**
     * Sets {@link #key()} and {@link #keyMask()}.
     *
     * @param value the key
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecGre key(int value, int mask) {
        number("key", KEY, 4, value, mask);
        return this;
    }
}
