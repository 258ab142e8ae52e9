/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * What a device is told of memory that is paged in on demand: {@link ProtectionDomain#adviseMr}.
 *
 * <p>Since level 3. Source: {@code ibv_advise_mr(3)}.
 */
public final class AdviseMrAdvice {
    /** It will be read: bring it in. Source: {@code IBV_ADVISE_MR_ADVICE_PREFETCH}. */
    public static final int PREFETCH = 0;

    /** It will be written: bring it in. Source: {@code IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE}. */
    public static final int PREFETCH_WRITE = 1;

    /** Make known what is in memory already, and bring nothing in. Source: {@code IBV_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT}. */
    public static final int PREFETCH_NO_FAULT = 2;

    private AdviseMrAdvice() {}

    /**
     * Name of a value.
     *
     * @param value one of the constants of this class
     * @return the name, {@code "unknown (99)"} for a value 99 without one
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
