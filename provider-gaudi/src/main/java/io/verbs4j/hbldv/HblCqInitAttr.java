/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/**
 * What a completion queue is made of beyond the verbs, for {@link io.verbs4j.CqInitAttrEx#vendor(Object)} and the last argument of {@link
 * io.verbs4j.Context#createCq(int, Object, io.verbs4j.CompletionChannel, int, Object)}. Without it, it is of the
 * context's first port. Not thread-safe. Source: {@code struct hbldv_cq_attr}.
 */
public final class HblCqInitAttr {
    private int portNum;
    private int cqType;

    /** With what each attribute says of itself. */
    public HblCqInitAttr() {}

    /** {@return the port} */
    public int portNum() {
        return portNum;
    }

    /**
     * Says whose completions go to it: those of queue pairs of that port alone.
     *
     * @param value from 1; 0 for the context's first one
     * @return this
     */
    public HblCqInitAttr portNum(int value) {
        portNum = value;
        return this;
    }

    /** {@return what it is for, an {@link HblCqTypes} value} */
    public int cqType() {
        return cqType;
    }

    /**
     * Says what it is for.
     *
     * @param value of {@link HblCqTypes}
     * @return this
     */
    public HblCqInitAttr cqType(int value) {
        cqType = value;
        return this;
    }
}
