/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/**
 * Gaudi's attributes of a new completion queue, for {@link io.verbs4j.CqInitAttrEx#vendor(Object)} and the last
 * argument of {@link io.verbs4j.Context#createCq(int, Object, io.verbs4j.CompletionChannel, int, Object)}. A queue
 * created without them belongs to the context's first port. Not thread-safe. Source: {@code struct hbldv_cq_attr}.
 */
public final class HblCqInitAttr {
    private int portNum;
    private int cqType;

    /** Creates attributes with their defaults. */
    public HblCqInitAttr() {}

    /** {@return the port, from 1; 0 for the context's first port} */
    public int portNum() {
        return portNum;
    }

    /**
     * Sets the port. Only completions of that port's queue pairs go to the queue.
     *
     * @param value from 1; 0 for the context's first port
     * @return this
     */
    public HblCqInitAttr portNum(int value) {
        portNum = value;
        return this;
    }

    /** {@return the purpose, an {@link HblCqTypes} value} */
    public int cqType() {
        return cqType;
    }

    /**
     * Sets the purpose.
     *
     * @param value an {@link HblCqTypes} value
     * @return this
     */
    public HblCqInitAttr cqType(int value) {
        cqType = value;
        return this;
    }
}
