/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A receive work request, or a list of them.
 *
 * <p>A request may be reused as soon as it is posted. Source: {@code ibv_post_recv(3)}. Not thread-safe.
 */
public final class RecvWorkRequest {
    private static final ScatterGatherElement[] NO_ELEMENTS = {};

    private ScatterGatherElement[] sgList = NO_ELEMENTS;
    private int numSge;
    private RecvWorkRequest next;
    private long wrId;

    /** Creates an instance with every attribute zero. */
    public RecvWorkRequest() {}

    /** {@return the next work request of the list, or null} */
    public RecvWorkRequest next() {
        return next;
    }

    /**
     * Sets {@link #next()}.
     *
     * @param value next work request of the list, or null
     * @return this
     */
    public RecvWorkRequest next(RecvWorkRequest value) {
        next = value;
        return this;
    }

    /** {@return the id that the completion will carry} */
    public long wrId() {
        return wrId;
    }

    /**
     * Sets {@link #wrId()}.
     *
     * @param value id that the completion will carry
     * @return this
     */
    public RecvWorkRequest wrId(long value) {
        wrId = value;
        return this;
    }

    /**
     * Sets the scatter/gather list. The array is not copied: do not change it until the request is posted.
     *
     * @param elements the elements, all of which are used
     * @return this
     */
    public RecvWorkRequest sgList(ScatterGatherElement... elements) {
        return sgList(elements, elements.length);
    }

    /**
     * Sets the scatter/gather list to the first elements of an array. The array is not copied: do not change it until
     * the request is posted.
     *
     * @param elements the elements
     * @param count number of elements to use
     * @return this
     */
    public RecvWorkRequest sgList(ScatterGatherElement[] elements, int count) {
        sgList = elements;
        numSge = count;
        return this;
    }

    /** {@return the scatter/gather list, of which the first {@link #numSge()} elements are used} */
    public ScatterGatherElement[] sgList() {
        return sgList;
    }

    /** {@return the number of elements of the scatter/gather list that are used} */
    public int numSge() {
        return numSge;
    }

    @Override
    public String toString() {
        return "receive " + wrId + " into " + ScatterGatherElement.list(sgList, numSge)
                + (next == null ? "" : ", and more");
    }
}
