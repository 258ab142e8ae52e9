/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Capacities of a queue pair: those requested at creation, and those granted (at least as large).
 *
 * <p>Source: {@code ibv_create_qp(3)}. Not thread-safe.
 */
public final class QpCap {
    private int maxSendWr;
    private int maxRecvWr;
    private int maxSendSge;
    private int maxRecvSge;
    private int maxInlineData;

    /** Creates an instance with every attribute zero. */
    public QpCap() {}

    /** {@return the maximum number of send work requests outstanding} */
    public int maxSendWr() {
        return maxSendWr;
    }

    /**
     * Sets {@link #maxSendWr()}.
     *
     * @param value maximum number of send work requests outstanding
     * @return this
     */
    public QpCap maxSendWr(int value) {
        maxSendWr = value;
        return this;
    }

    /** {@return the maximum number of receive work requests outstanding; ignored with a shared receive queue} */
    public int maxRecvWr() {
        return maxRecvWr;
    }

    /**
     * Sets {@link #maxRecvWr()}.
     *
     * @param value maximum number of receive work requests outstanding; ignored with a shared receive queue
     * @return this
     */
    public QpCap maxRecvWr(int value) {
        maxRecvWr = value;
        return this;
    }

    /** {@return the maximum number of scatter/gather elements in a send work request} */
    public int maxSendSge() {
        return maxSendSge;
    }

    /**
     * Sets {@link #maxSendSge()}.
     *
     * @param value maximum number of scatter/gather elements in a send work request
     * @return this
     */
    public QpCap maxSendSge(int value) {
        maxSendSge = value;
        return this;
    }

    /** {@return the maximum number of scatter/gather elements in a receive work request} */
    public int maxRecvSge() {
        return maxRecvSge;
    }

    /**
     * Sets {@link #maxRecvSge()}.
     *
     * @param value maximum number of scatter/gather elements in a receive work request
     * @return this
     */
    public QpCap maxRecvSge(int value) {
        maxRecvSge = value;
        return this;
    }

    /** {@return the maximum number of bytes that a send work request can carry inline} */
    public int maxInlineData() {
        return maxInlineData;
    }

    /**
     * Sets {@link #maxInlineData()}.
     *
     * @param value maximum number of bytes that a send work request can carry inline
     * @return this
     */
    public QpCap maxInlineData(int value) {
        maxInlineData = value;
        return this;
    }

    @Override
    public String toString() {
        return "maxSendWr " + maxSendWr + ", maxRecvWr " + maxRecvWr + ", maxSendSge " + maxSendSge + ", maxRecvSge "
                + maxRecvSge + ", maxInlineData " + maxInlineData;
    }
}
