/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * What to change of a completion queue: the argument of {@link CompletionQueue#modify(ModifyCqAttr)}.
 *
 * <p>Both numbers go together, as in C: the bit {@link ModifyCqMask#MODERATE} stands for count and period, so that the
 * one that is not set becomes 0, which is no limit. An event is made when either is reached.
 * <strong>A count without a period</strong>
 * holds events back until so many completions are there, for ever if no more come: set a period too, unless the program
 * polls from time to time. 0 and 0 is no moderation: each completion that an event is asked for makes one.
 *
 * <p>Since level 3. Source: {@code ibv_modify_cq(3)}. Not thread-safe.
 */
public final class ModifyCqAttr extends InputAttr {
    private int cqCount;
    private int cqPeriod;

    /** Creates an instance whose masks are empty. */
    public ModifyCqAttr() {}

    /** {@return how many completions make an event, 0 to 65535; 0 means without limit} */
    public int cqCount() {
        return cqCount;
    }

    /**
     * Sets {@link #cqCount()} and the bit {@link ModifyCqMask#MODERATE}.
     *
     * @param value how many completions make an event, 0 to 65535; 0 means without limit. Without {@link
     *     #cqPeriod(int)}
     *     fewer make none
     * @return this
     */
    public ModifyCqAttr cqCount(int value) {
        cqCount = value;
        mark(ModifyCqMask.MODERATE);
        return this;
    }

    /** {@return microseconds that an event is put off at most, 0 to 65535; 0 means without limit} */
    public int cqPeriod() {
        return cqPeriod;
    }

    /**
     * Sets {@link #cqPeriod()} and the bit {@link ModifyCqMask#MODERATE}.
     *
     * @param value microseconds that an event is put off at most, 0 to 65535; 0 means without end, until there are as
     *     many as the count
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
