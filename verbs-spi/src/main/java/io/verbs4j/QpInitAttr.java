/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that create a queue pair: the argument of {@link ProtectionDomain#createQp(QpInitAttr)}.
 *
 * <p>The capacities are in and out: after the call {@link #cap()} holds the actual values. Source:
 * {@code ibv_create_qp(3)}. Not thread-safe.
 */
public final class QpInitAttr {
    private Object userContext;
    private CompletionQueue sendCq;
    private CompletionQueue recvCq;
    private SharedReceiveQueue srq;
    private QpCap cap = new QpCap();
    private int qpType;
    private boolean sqSigAll;
    private Object vendor;

    /** Creates an instance with every attribute zero. */
    public QpInitAttr() {}

    /** {@return the application object that the queue pair carries; may be null} */
    public Object userContext() {
        return userContext;
    }

    /**
     * Sets {@link #userContext()}.
     *
     * @param value application object that the queue pair carries; may be null
     * @return this
     */
    public QpInitAttr userContext(Object value) {
        userContext = value;
        return this;
    }

    /** {@return the completion queue for send work requests} */
    public CompletionQueue sendCq() {
        return sendCq;
    }

    /**
     * Sets {@link #sendCq()}.
     *
     * @param value completion queue for send work requests
     * @return this
     */
    public QpInitAttr sendCq(CompletionQueue value) {
        sendCq = value;
        return this;
    }

    /** {@return the completion queue for receive work requests} */
    public CompletionQueue recvCq() {
        return recvCq;
    }

    /**
     * Sets {@link #recvCq()}.
     *
     * @param value completion queue for receive work requests
     * @return this
     */
    public QpInitAttr recvCq(CompletionQueue value) {
        recvCq = value;
        return this;
    }

    /** {@return the shared receive queue, or null for a receive queue of the queue pair's own} */
    public SharedReceiveQueue srq() {
        return srq;
    }

    /**
     * Sets {@link #srq()}.
     *
     * @param value shared receive queue, or null for a receive queue of the queue pair's own
     * @return this
     */
    public QpInitAttr srq(SharedReceiveQueue value) {
        srq = value;
        return this;
    }

    /** {@return the capacities, in and out} */
    public QpCap cap() {
        return cap;
    }

    /**
     * Sets {@link #cap()}.
     *
     * @param value capacities, in and out
     * @return this
     */
    public QpInitAttr cap(QpCap value) {
        cap = value;
        return this;
    }

    /** {@return the transport service, a {@link QpType} value} */
    public int qpType() {
        return qpType;
    }

    /**
     * Sets {@link #qpType()}.
     *
     * @param value transport service, a {@link QpType} value
     * @return this
     */
    public QpInitAttr qpType(int value) {
        qpType = value;
        return this;
    }

    /**
     * {@return whether every send work request generates a completion; otherwise only those with {@link
     * SendFlags#SIGNALED}}
     */
    public boolean sqSigAll() {
        return sqSigAll;
    }

    /**
     * Sets {@link #sqSigAll()}.
     *
     * @param value whether every send work request generates a completion; otherwise only those with
     *     {@link SendFlags#SIGNALED}
     * @return this
     */
    public QpInitAttr sqSigAll(boolean value) {
        sqSigAll = value;
        return this;
    }

    /**
     * {@return the vendor's own attributes, of a type that the provider exports; or null} A provider that does not know
     * the type fails with EOPNOTSUPP.
     */
    public Object vendor() {
        return vendor;
    }

    /**
     * Sets {@link #vendor()}.
     *
     * @param value the vendor's own attributes, or null
     * @return this
     */
    public QpInitAttr vendor(Object value) {
        vendor = value;
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
