/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A filter of a {@link Flow}: the header of a VXLAN tunnel.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_tunnel}, {@code ibv_create_flow(3)}. Not thread-safe.
 */
public final class FlowSpecTunnel extends FlowFilter {
    private static final int TUNNEL_ID = 0;

    /** Creates a filter that matches all packets. */
    public FlowSpecTunnel() {
        super(FlowSpecType.VXLAN_TUNNEL, 4);
    }

    /**
     * Sets {@link #isInner()}.
     *
     * @param value whether it applies to the packet inside a tunnel
     * @return this
     */
    public FlowSpecTunnel inner(boolean value) {
        setInner(value);
        return this;
    }

    /** {@return the number of the tunnel} */
    public int tunnelId() {
        return numberOfValue(TUNNEL_ID, 4);
    }

    /** {@return the bits of {@link #tunnelId()} that must match} */
    public int tunnelIdMask() {
        return numberOfMask(TUNNEL_ID, 4);
    }

    /**
     * Sets {@link #tunnelId()} and requires all its bits to match.
     *
     * @param value the number of the tunnel
     * @return this
     */
    public FlowSpecTunnel tunnelId(int value) {
        return tunnelId(value, -1);
    }

    /**
     * Sets {@link #tunnelId()} and {@link #tunnelIdMask()}.
     *
     * @param value the number of the tunnel
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecTunnel tunnelId(int value, int mask) {
        number("tunnelId", TUNNEL_ID, 4, value, mask);
        return this;
    }
}
