/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that create a flow: the argument of {@link QueuePair#createFlow(FlowAttr)}.
 *
 * <p>Since level 4. Source: {@code ibv_create_flow(3)}. Not thread-safe.
 */
public final class FlowAttr extends InputAttr {
    private int type;
    private int priority;
    private int port;
    private int flags;
    private FlowSpec[] specs = {};

    /** Creates an instance whose masks are empty, of type NORMAL. */
    public FlowAttr() {}

    /** {@return which packets it applies to, a {@link FlowType} value} */
    public int type() {
        return type;
    }

    /**
     * Sets {@link #type()}.
     *
     * @param value which packets it applies to, a {@link FlowType} value
     * @return this
     */
    public FlowAttr type(int value) {
        type = value;
        return this;
    }

    /** {@return the priority, 0 to 65535: of the flows that a packet matches, that with the lowest number takes it} */
    public int priority() {
        return priority;
    }

    /**
     * Sets {@link #priority()}.
     *
     * @param value the priority, 0 to 65535; 0 is the highest
     * @return this
     */
    public FlowAttr priority(int value) {
        priority = value;
        return this;
    }

    /** {@return the number of the port whose packets it applies to, from 1} */
    public int port() {
        return port;
    }

    /**
     * Sets {@link #port()}.
     *
     * @param value the number of the port whose packets it applies to, from 1
     * @return this
     */
    public FlowAttr port(int value) {
        port = value;
        return this;
    }

    /** {@return {@link FlowFlags} bits} */
    public int flags() {
        return flags;
    }

    /**
     * Sets {@link #flags()}.
     *
     * @param value {@link FlowFlags} bits
     * @return this
     */
    public FlowAttr flags(int value) {
        flags = value;
        return this;
    }

    /** {@return the filters, from the outermost header to the innermost, and actions; copied} */
    public FlowSpec[] specs() {
        return specs.clone();
    }

    /**
     * Sets {@link #specs()}.
     *
     * @param value filters, from the outermost header to the innermost, and actions; copied
     * @return this
     */
    public FlowAttr specs(FlowSpec... value) {
        specs = value.clone();
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
