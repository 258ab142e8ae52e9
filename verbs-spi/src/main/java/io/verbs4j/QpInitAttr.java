/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * How a queue pair is made: the argument of {@link ProtectionDomain#createQp(QpInitAttr)}.
 *
 * <p>The capacities are in and out: after the call {@link #cap()} holds what was given. Source: {@code
 * ibv_create_qp(3)}. Not thread-safe.
 */
public final class QpInitAttr {
    private Object userContext;
    private CompletionQueue sendCq;
    private CompletionQueue recvCq;
    private SharedReceiveQueue srq;
    private QpCap cap = new QpCap();
    private int qpType;
    private boolean sqSigAll;

    /** Creates an instance with every attribute zero. */
    public QpInitAttr() {}

    /**
     * Object of the application's that the queue pair carries along; may be null.
     *
     * @return object of the application's that the queue pair carries along; may be null
     */
    public Object userContext() {
        return userContext;
    }

    /**
     * Sets {@link #userContext()}.
     *
     * @param value object of the application's that the queue pair carries along; may be null
     * @return this
     */
    public QpInitAttr userContext(Object value) {
        userContext = value;
        return this;
    }

    /**
     * Completion queue for send work requests.
     *
     * @return completion queue for send work requests
     */
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

    /**
     * Completion queue for receive work requests.
     *
     * @return completion queue for receive work requests
     */
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

    /**
     * Shared receive queue, or null for a receive queue of its own.
     *
     * @return shared receive queue, or null for a receive queue of its own
     */
    public SharedReceiveQueue srq() {
        return srq;
    }

    /**
     * Sets {@link #srq()}.
     *
     * @param value shared receive queue, or null for a receive queue of its own
     * @return this
     */
    public QpInitAttr srq(SharedReceiveQueue value) {
        srq = value;
        return this;
    }

    /**
     * Capacities, in and out.
     *
     * @return capacities, in and out
     */
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

    /**
     * Transport service, a {@link QpType} value.
     *
     * @return transport service, a {@link QpType} value
     */
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
     * Whether every send work request makes a completion; otherwise those with {@link SendFlags#SIGNALED}.
     *
     * @return whether every send work request makes a completion; otherwise those with {@link SendFlags#SIGNALED}
     */
    public boolean sqSigAll() {
        return sqSigAll;
    }

    /**
     * Sets {@link #sqSigAll()}.
     *
     * @param value whether every send work request makes a completion; otherwise those with {@link SendFlags#SIGNALED}
     * @return this
     */
    public QpInitAttr sqSigAll(boolean value) {
        sqSigAll = value;
        return this;
    }
}
