/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Types of a {@link WorkQueue}. Since level 4. Source: {@code enum ibv_wq_type}, ibv_create_wq(3).
 */
public final class WqType {
    /** Receives. Source: {@code IBV_WQT_RQ}, ibv_create_wq(3). */
    public static final int RQ = 0;

    private WqType() {}

    /**
     * Name of a value.
     *
     * @param value one of the constants of this class
     * @return the name, {@code "unknown (99)"} for a value 99 without one
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
