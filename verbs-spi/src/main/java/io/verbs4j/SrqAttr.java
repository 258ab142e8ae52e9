/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes of a shared receive queue.
 *
 * <p>Each setter of a modifiable attribute adds its bit to {@link #mask()}, which selects what
 * {@link SharedReceiveQueue#modify(SrqAttr)} changes. Source: {@code ibv_modify_srq(3)}. Not thread-safe.
 */
public final class SrqAttr {
    private int maxWr;
    private int maxSge;
    private int srqLimit;
    private int mask;

    /** Creates an instance with every attribute zero and an empty mask. */
    public SrqAttr() {}

    /** {@return the maximum number of work requests outstanding} */
    public int maxWr() {
        return maxWr;
    }

    /**
     * Sets {@link #maxWr()}, and adds {@link SrqAttrMask#MAX_WR} to the mask.
     *
     * @param value maximum number of work requests outstanding
     * @return this
     */
    public SrqAttr maxWr(int value) {
        maxWr = value;
        mask |= SrqAttrMask.MAX_WR;
        return this;
    }

    /** {@return the maximum number of scatter/gather elements in a work request; fixed at creation} */
    public int maxSge() {
        return maxSge;
    }

    /**
     * Sets {@link #maxSge()}.
     *
     * @param value maximum number of scatter/gather elements in a work request; fixed at creation
     * @return this
     */
    public SrqAttr maxSge(int value) {
        maxSge = value;
        return this;
    }

    /**
     * {@return the number of work requests below which {@link EventType#SRQ_LIMIT_REACHED} is raised, once; 0 disables
     * it}
     */
    public int srqLimit() {
        return srqLimit;
    }

    /**
     * Sets {@link #srqLimit()}, and adds {@link SrqAttrMask#LIMIT} to the mask.
     *
     * @param value number of work requests below which {@link EventType#SRQ_LIMIT_REACHED} is raised, once; 0 disables
     *     it
     * @return this
     */
    public SrqAttr srqLimit(int value) {
        srqLimit = value;
        mask |= SrqAttrMask.LIMIT;
        return this;
    }

    /** {@return which attributes were set, {@link SrqAttrMask} bits} */
    public int mask() {
        return mask;
    }

    /**
     * Clears the mask, so that this instance can be used for another call; the values stay.
     *
     * @return this
     */
    public SrqAttr clearMask() {
        mask = 0;
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
