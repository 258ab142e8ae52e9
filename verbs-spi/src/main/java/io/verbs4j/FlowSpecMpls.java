/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A filter of a {@link Flow}: an MPLS label stack entry.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_mpls}, {@code ibv_create_flow(3)}. Not thread-safe.
 */
public final class FlowSpecMpls extends FlowFilter {
    private static final int LABEL = 0;

    /** Creates a filter that matches all packets. */
    public FlowSpecMpls() {
        super(FlowSpecType.MPLS, 4);
    }

    /**
     * Sets {@link #isInner()}.
     *
     * @param value whether it applies to the packet inside a tunnel
     * @return this
     */
    public FlowSpecMpls inner(boolean value) {
        setInner(value);
        return this;
    }

    /** {@return the entry: label 20 bits, traffic class 3, bottom of stack 1, time to live 8} */
    public int label() {
        return numberOfValue(LABEL, 4);
    }

    /** {@return the bits of {@link #label()} that must match} */
    public int labelMask() {
        return numberOfMask(LABEL, 4);
    }

    /**
     * Sets {@link #label()} and requires all its bits to match.
     *
     * @param value the entry: label 20 bits, traffic class 3, bottom of stack 1, time to live 8
     * @return this
     */
    public FlowSpecMpls label(int value) {
        return label(value, -1);
    }

    /**
     * Sets {@link #label()} and {@link #labelMask()}.
     *
     * @param value the entry: label 20 bits, traffic class 3, bottom of stack 1, time to live 8
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecMpls label(int value, int mask) {
        number("label", LABEL, 4, value, mask);
        return this;
    }
}
