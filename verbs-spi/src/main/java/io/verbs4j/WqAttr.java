/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Changes to a work queue: the argument of {@link WorkQueue#modify(WqAttr)}.
 *
 * <p>Since level 4. Source: {@code ibv_modify_wq(3)}. Not thread-safe.
 */
public final class WqAttr extends InputAttr {
    private int wqState;
    private int currWqState;
    private int flags;
    private int flagsMask;

    /** Creates an instance whose masks are empty. */
    public WqAttr() {}

    /** {@return the new state, a {@link WqState} value} */
    public int wqState() {
        return wqState;
    }

    /**
     * Sets {@link #wqState()} and the bit {@link WqAttrMask#STATE}.
     *
     * @param value the new state, a {@link WqState} value
     * @return this
     */
    public WqAttr wqState(int value) {
        wqState = value;
        mark(WqAttrMask.STATE);
        return this;
    }

    /**
     * {@return the state that the queue is expected to be in, a {@link WqState} value; if it is in another one, nothing
     * changes}
     */
    public int currWqState() {
        return currWqState;
    }

    /**
     * Sets {@link #currWqState()} and the bit {@link WqAttrMask#CURR_STATE}.
     *
     * @param value the state that the queue is expected to be in, a {@link WqState} value; if it is in another one,
     *     nothing changes
     * @return this
     */
    public WqAttr currWqState(int value) {
        currWqState = value;
        mark(WqAttrMask.CURR_STATE);
        return this;
    }

    /** {@return the new values of the flags in {@link #flagsMask()}, {@link WqFlags} bits} */
    public int flags() {
        return flags;
    }

    /**
     * Sets {@link #flags()} and the bit {@link WqAttrMask#FLAGS}.
     *
     * @param value the new values of the flags in {@link #flagsMask()}, {@link WqFlags} bits
     * @return this
     */
    public WqAttr flags(int value) {
        flags = value;
        mark(WqAttrMask.FLAGS);
        return this;
    }

    /** {@return the flags to change, {@link WqFlags} bits} */
    public int flagsMask() {
        return flagsMask;
    }

    /**
     * Sets {@link #flagsMask()} and the bit {@link WqAttrMask#FLAGS}.
     *
     * @param value the flags to change, {@link WqFlags} bits
     * @return this
     */
    public WqAttr flagsMask(int value) {
        flagsMask = value;
        mark(WqAttrMask.FLAGS);
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
