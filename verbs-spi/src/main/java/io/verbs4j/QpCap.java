/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Capacities of a queue pair: what is asked for at creation, and what was given (at least that).
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

    /** {@return most send work requests outstanding} */
    public int maxSendWr() {
        return maxSendWr;
    }

    /**
     * Sets {@link #maxSendWr()}.
     *
     * @param value most send work requests outstanding
     * @return this
     */
    public QpCap maxSendWr(int value) {
        maxSendWr = value;
        return this;
    }

    /** {@return most receive work requests outstanding; of no meaning with a shared receive queue} */
    public int maxRecvWr() {
        return maxRecvWr;
    }

    /**
     * Sets {@link #maxRecvWr()}.
     *
     * @param value most receive work requests outstanding; of no meaning with a shared receive queue
     * @return this
     */
    public QpCap maxRecvWr(int value) {
        maxRecvWr = value;
        return this;
    }

    /**
     * Most scatter/gather elements in a send work request.
     *
     * @return most scatter/gather elements in a send work request
     */
    public int maxSendSge() {
        return maxSendSge;
    }

    /**
     * Sets {@link #maxSendSge()}.
     *
     * @param value most scatter/gather elements in a send work request
     * @return this
     */
    public QpCap maxSendSge(int value) {
        maxSendSge = value;
        return this;
    }

    /**
     * Most scatter/gather elements in a receive work request.
     *
     * @return most scatter/gather elements in a receive work request
     */
    public int maxRecvSge() {
        return maxRecvSge;
    }

    /**
     * Sets {@link #maxRecvSge()}.
     *
     * @param value most scatter/gather elements in a receive work request
     * @return this
     */
    public QpCap maxRecvSge(int value) {
        maxRecvSge = value;
        return this;
    }

    /** {@return most bytes that a send work request can carry inline} */
    public int maxInlineData() {
        return maxInlineData;
    }

    /**
     * Sets {@link #maxInlineData()}.
     *
     * @param value most bytes that a send work request can carry inline
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
