/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * States of a {@link WorkQueue}. The transitions are RESET to RDY, RDY to ERR, and each state to RESET. Since level 4.
 * Source: {@code enum ibv_wq_state}, {@code ibv_modify_wq(3)}.
 */
public final class WqState {
    /**
     * Reset, the state after creation: the queue is empty and accepts no receives. Source: {@code IBV_WQS_RESET},
     * {@code ibv_modify_wq(3)}.
     */
    public static final int RESET = 0;

    /** Ready: packets are received. Source: {@code IBV_WQS_RDY}, {@code ibv_modify_wq(3)}. */
    public static final int RDY = 1;

    /**
     * Error: nothing is received; posted receives complete with an error. Source: {@code IBV_WQS_ERR},
     * {@code ibv_modify_wq(3)}.
     */
    public static final int ERR = 2;

    private WqState() {}

    /**
     * Returns the name of a value.
     *
     * @param value one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
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
