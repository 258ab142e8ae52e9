/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A receive work request, or a list of them.
 *
 * <p>May be used again as soon as it was posted. Source: {@code ibv_post_recv(3)}. Not thread-safe.
 */
public final class RecvWorkRequest {
    private static final ScatterGatherElement[] NO_ELEMENTS = {};

    private ScatterGatherElement[] sgList = NO_ELEMENTS;
    private int numSge;
    private RecvWorkRequest next;
    private long wrId;

    /** Creates an instance with every attribute zero. */
    public RecvWorkRequest() {}

    /** {@return next work request of the list, or null} */
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

    /** {@return id that the completion will carry} */
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
     * Sets the scatter/gather list; the array is used as it is, not copied, until the request was posted.
     *
     * @param elements the elements, all of them counting
     * @return this
     */
    public RecvWorkRequest sgList(ScatterGatherElement... elements) {
        return sgList(elements, elements.length);
    }

    /**
     * Sets the scatter/gather list to the first elements of an array, which is used as it is until the request was
     * posted.
     *
     * @param elements the elements
     * @param count how many of them count
     * @return this
     */
    public RecvWorkRequest sgList(ScatterGatherElement[] elements, int count) {
        sgList = elements;
        numSge = count;
        return this;
    }

    /**
     * The scatter/gather list, of which the first {@link #numSge()} elements count.
     *
     * @return the elements
     */
    public ScatterGatherElement[] sgList() {
        return sgList;
    }

    /**
     * How many elements of the scatter/gather list count.
     *
     * @return the number
     */
    public int numSge() {
        return numSge;
    }

    @Override
    public String toString() {
        return "receive " + wrId + " into " + ScatterGatherElement.list(sgList, numSge)
                + (next == null ? "" : ", and more");
    }
}
