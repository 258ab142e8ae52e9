/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Advice to a device about memory with on-demand paging: {@link ProtectionDomain#adviseMr}.
 *
 * <p>Since level 3. Source: {@code ibv_advise_mr(3)}.
 */
public final class AdviseMrAdvice {
    /** The memory will be read: load its pages. Source: {@code IBV_ADVISE_MR_ADVICE_PREFETCH}. */
    public static final int PREFETCH = 0;

    /** The memory will be written: load its pages. Source: {@code IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE}. */
    public static final int PREFETCH_WRITE = 1;

    /** Map pages that are in memory already, and load none. Source: {@code IBV_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT}. */
    public static final int PREFETCH_NO_FAULT = 2;

    private AdviseMrAdvice() {}

    /**
     * Returns the name of a value.
     *
     * @param value one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
     */
    public static String toString(int value) {
        switch (value) {
            case PREFETCH:
                return "PREFETCH";
            case PREFETCH_WRITE:
                return "PREFETCH_WRITE";
            case PREFETCH_NO_FAULT:
                return "PREFETCH_NO_FAULT";
            default:
                return "unknown (" + value + ")";
        }
    }
}
