/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * States of a {@link WorkQueue}: RESET to RDY, RDY to ERR, and each to RESET. Since level 4. Source: {@code enum
 * ibv_wq_state}, ibv_modify_wq(3).
 */
public final class WqState {
    /** Empty; takes no receives. The state after creation. Source: {@code IBV_WQS_RESET}, ibv_modify_wq(3). */
    public static final int RESET = 0;

    /** Receives. Source: {@code IBV_WQS_RDY}, ibv_modify_wq(3). */
    public static final int RDY = 1;

    /**
     * Receives nothing more; what was posted completes with an error. Source: {@code IBV_WQS_ERR}, ibv_modify_wq(3).
     */
    public static final int ERR = 2;

    private WqState() {}

    /**
     * Name of a value.
     *
     * @param value one of the constants of this class
     * @return the name, {@code "unknown (99)"} for a value 99 without one
     */
    public static String toString(int value) {
        switch (value) {
            case RESET:
                return "RESET";
            case RDY:
                return "RDY";
            case ERR:
                return "ERR";
            default:
                return "unknown (" + value + ")";
        }
    }
}
