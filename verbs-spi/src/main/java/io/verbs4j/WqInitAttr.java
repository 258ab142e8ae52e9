/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that create a work queue: the argument of {@link Context#createWq(WqInitAttr)}. The capacities are in and
 * out: after the call they hold the actual values.
 *
 * <p>Since level 4. Source: {@code ibv_create_wq(3)}. Not thread-safe.
 */
public final class WqInitAttr extends InputAttr {
    private Object userContext;
    private int wqType;
    private int maxWr;
    private int maxSge;
    private ProtectionDomain pd;
    private CompletionQueue cq;
    private int createFlags;

    /** Creates an instance whose masks are empty. */
    public WqInitAttr() {}

    /** {@return the application object that the queue carries; may be null} */
    public Object userContext() {
        return userContext;
    }

    /**
     * Sets {@link #userContext()}.
     *
     * @param value application object that the queue carries; may be null
     * @return this
     */
    public WqInitAttr userContext(Object value) {
        userContext = value;
        return this;
    }

    /** {@return the type, a {@link WqType} value} */
    public int wqType() {
        return wqType;
    }

    /**
     * Sets {@link #wqType()}.
     *
     * @param value type, a {@link WqType} value
     * @return this
     */
    public WqInitAttr wqType(int value) {
        wqType = value;
        return this;
    }

    /** {@return the maximum number of outstanding work requests, from 1; in and out} */
    public int maxWr() {
        return maxWr;
    }

    /**
     * Sets {@link #maxWr()}.
     *
     * @param value maximum number of outstanding work requests, from 1; in and out
     * @return this
     */
    public WqInitAttr maxWr(int value) {
        maxWr = value;
        return this;
    }

    /** {@return the maximum number of scatter elements in a work request; in and out} */
    public int maxSge() {
        return maxSge;
    }

    /**
     * Sets {@link #maxSge()}.
     *
     * @param value maximum number of scatter elements in a work request; in and out
     * @return this
     */
    public WqInitAttr maxSge(int value) {
        maxSge = value;
        return this;
    }

    /** {@return the protection domain of the receive buffers} */
    public ProtectionDomain pd() {
        return pd;
    }

    /**
     * Sets {@link #pd()}.
     *
     * @param value protection domain of the receive buffers
     * @return this
     */
    public WqInitAttr pd(ProtectionDomain value) {
        pd = value;
        return this;
    }

    /** {@return the completion queue} */
    public CompletionQueue cq() {
        return cq;
    }

    /**
     * Sets {@link #cq()}.
     *
     * @param value completion queue
     * @return this
     */
    public WqInitAttr cq(CompletionQueue value) {
        cq = value;
        return this;
    }

    /** {@return the special behaviour, {@link WqFlags} bits} */
    public int createFlags() {
        return createFlags;
    }

    /**
     * Sets {@link #createFlags()} and the bit {@link WqInitAttrMask#FLAGS}.
     *
     * @param value special behaviour, {@link WqFlags} bits
     * @return this
     */
    public WqInitAttr createFlags(int value) {
        createFlags = value;
        mark(WqInitAttrMask.FLAGS);
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
