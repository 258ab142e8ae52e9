/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * What to change of a completion queue: the argument of {@link CompletionQueue#modify(ModifyCqAttr)}.
 *
 * <p>Since level 3. Source: {@code ibv_modify_cq(3)}. Not thread-safe.
 */
public final class ModifyCqAttr extends InputAttr {
    private int cqCount;
    private int cqPeriod;

    /** Creates an instance whose masks are empty. */
    public ModifyCqAttr() {}

    /** {@return completions that one event is made for at most, 0 to 65535} */
    public int cqCount() {
        return cqCount;
    }

    /**
     * Sets {@link #cqCount()} and the bit {@link ModifyCqMask#MODERATE}.
     *
     * @param value completions that one event is made for at most, 0 to 65535
     * @return this
     */
    public ModifyCqAttr cqCount(int value) {
        cqCount = value;
        mark(ModifyCqMask.MODERATE);
        return this;
    }

    /** {@return microseconds that an event is put off at most, 0 to 65535} */
    public int cqPeriod() {
        return cqPeriod;
    }

    /**
     * Sets {@link #cqPeriod()} and the bit {@link ModifyCqMask#MODERATE}.
     *
     * @param value microseconds that an event is put off at most, 0 to 65535
     * @return this
     */
    public ModifyCqAttr cqPeriod(int value) {
        cqPeriod = value;
        mark(ModifyCqMask.MODERATE);
        return this;
    }
}
