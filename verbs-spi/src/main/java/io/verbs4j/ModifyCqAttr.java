/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Changes to a completion queue: the argument of {@link CompletionQueue#modify(ModifyCqAttr)}.
 *
 * <p>Count and period go together, as in C: the bit {@link ModifyCqMask#MODERATE} covers both, so the one that is not
 * set becomes 0, which means no limit. An event is generated when either limit is reached. <strong>A count without a
 * period</strong> delays events until that many completions are there, forever if no more come: set a period too,
 * unless the program polls from time to time. 0 and 0 disables moderation: each completion for which an event was
 * requested generates one.
 *
 * <p>Since level 3. Source: {@code ibv_modify_cq(3)}. Not thread-safe.
 */
public final class ModifyCqAttr extends InputAttr {
    private int cqCount;
    private int cqPeriod;

    /** Creates an instance whose masks are empty. */
    public ModifyCqAttr() {}

    /** {@return the number of completions that generate an event, 0 to 65535; 0 means no limit} */
    public int cqCount() {
        return cqCount;
    }

    /**
     * Sets {@link #cqCount()} and the bit {@link ModifyCqMask#MODERATE}.
     *
     * @param value number of completions that generate an event, 0 to 65535; 0 means no limit. Without
     *     {@link #cqPeriod(int)}, fewer generate none
     * @return this
     */
    public ModifyCqAttr cqCount(int value) {
        cqCount = value;
        mark(ModifyCqMask.MODERATE);
        return this;
    }

    /** {@return the maximum delay of an event in microseconds, 0 to 65535; 0 means no limit} */
    public int cqPeriod() {
        return cqPeriod;
    }

    /**
     * Sets {@link #cqPeriod()} and the bit {@link ModifyCqMask#MODERATE}.
     *
     * @param value maximum delay of an event in microseconds, 0 to 65535; 0 means no limit: the event waits for the
     *     count
     * @return this
     */
    public ModifyCqAttr cqPeriod(int value) {
        cqPeriod = value;
        mark(ModifyCqMask.MODERATE);
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
