/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that create a shared receive queue: the argument of {@link ProtectionDomain#createSrq(SrqInitAttr)}.
 *
 * <p>After the call {@link #attr()} holds the actual capacities. Source: {@code ibv_create_srq(3)}. Not thread-safe.
 */
public final class SrqInitAttr {
    private Object userContext;
    private SrqAttr attr = new SrqAttr();

    /** Creates an instance with every attribute zero. */
    public SrqInitAttr() {}

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
    public SrqInitAttr userContext(Object value) {
        userContext = value;
        return this;
    }

    /** {@return the capacities, in and out} */
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
