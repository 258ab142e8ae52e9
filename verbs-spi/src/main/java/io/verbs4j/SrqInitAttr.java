/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * How a shared receive queue is made: the argument of {@link ProtectionDomain#createSrq(SrqInitAttr)}.
 *
 * <p>After the call {@link #attr()} holds the capacities that were given. Source: {@code ibv_create_srq(3)}. Not
 * thread-safe.
 */
public final class SrqInitAttr {
    private Object userContext;
    private SrqAttr attr = new SrqAttr();

    /** Creates an instance with every attribute zero. */
    public SrqInitAttr() {}

    /** {@return object of the application's that the queue carries along; may be null} */
    public Object userContext() {
        return userContext;
    }

    /**
     * Sets {@link #userContext()}.
     *
     * @param value object of the application's that the queue carries along; may be null
     * @return this
     */
    public SrqInitAttr userContext(Object value) {
        userContext = value;
        return this;
    }

    /** {@return capacities, in and out} */
    public SrqAttr attr() {
        return attr;
    }

    /**
     * Sets {@link #attr()}.
     *
     * @param value capacities, in and out
     * @return this
     */
    public SrqInitAttr attr(SrqAttr value) {
        attr = value;
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
