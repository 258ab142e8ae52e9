/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/** Types of a {@link WorkQueue}. Since level 4. Source: {@code enum ibv_wq_type}, {@code ibv_create_wq(3)}. */
public final class WqType {
    /** A receive queue. Source: {@code IBV_WQT_RQ}, {@code ibv_create_wq(3)}. */
    public static final int RQ = 0;

    private WqType() {}

    /**
     * Returns the name of a value.
     *
     * @param value one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
     */
    public static String toString(int value) {
        switch (value) {
            case RQ:
                return "RQ";
            default:
                return "unknown (" + value + ")";
        }
    }
}
