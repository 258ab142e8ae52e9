/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that attach one of the {@link Counters}: the argument of {@link Counters#attach(CounterAttachAttr)}.
 *
 * <p>Since level 4. Source: {@code ibv_attach_counters_point_flow(3)}. Not thread-safe.
 */
public final class CounterAttachAttr extends InputAttr {
    private int counterDesc;
    private int index;

    /** Creates an instance whose masks are empty. */
    public CounterAttachAttr() {}

    /** {@return what is counted, a {@link CounterDescription} value} */
    public int counterDesc() {
        return counterDesc;
    }

    /**
     * Sets {@link #counterDesc()}.
     *
     * @param value what is counted, a {@link CounterDescription} value
     * @return this
     */
    public CounterAttachAttr counterDesc(int value) {
        counterDesc = value;
        return this;
    }

    /** {@return the index at which {@link Counters#read(long[], int)} stores it, from 0} */
    public int index() {
        return index;
    }

    /**
     * Sets {@link #index()}.
     *
     * @param value index at which {@link Counters#read(long[], int)} stores it, from 0
     * @return this
     */
    public CounterAttachAttr index(int value) {
        index = value;
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
