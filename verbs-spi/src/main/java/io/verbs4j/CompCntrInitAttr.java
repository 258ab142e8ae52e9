/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that create a completion counter: the argument of {@link Context#createCompCntr(CompCntrInitAttr)}.
 *
 * <p>Since level 4. Source: {@code struct ibv_comp_cntr_init_attr}, {@code ibv_create_comp_cntr(3)}. Not thread-safe.
 */
public final class CompCntrInitAttr extends InputAttr {
    private int type = CompCntrType.WRS;

    /** Creates an instance whose masks are empty, for a counter of work requests. */
    public CompCntrInitAttr() {}

    /** {@return what the counter counts, a {@link CompCntrType} value} */
    public int type() {
        return type;
    }

    /**
     * Sets {@link #type()}.
     *
     * @param value what the counter counts, a {@link CompCntrType} value
     * @return this
     */
    public CompCntrInitAttr type(int value) {
        type = value;
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
