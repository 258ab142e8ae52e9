/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Operations of an {@link OpsWorkRequest} on the matching list of a shared receive queue of type {@link SrqType#TM}.
 *
 * <p>A device newer than this class may know further values. Since level 4. Source: {@code ibv_post_srq_ops(3)}.
 */
public final class OpsWrOpcode {
    /** Adds a buffer with a tag. Source: {@code IBV_WR_TAG_ADD}, {@code ibv_post_srq_ops(3)}. */
    public static final int TAG_ADD = 0;

    /** Removes a buffer by its handle. Source: {@code IBV_WR_TAG_DEL}, {@code ibv_post_srq_ops(3)}. */
    public static final int TAG_DEL = 1;

    /**
     * Reports to the device how many unexpected messages the program has handled. Source: {@code IBV_WR_TAG_SYNC},
     * {@code ibv_post_srq_ops(3)}.
     */
    public static final int TAG_SYNC = 2;

    private OpsWrOpcode() {}

    /**
     * Returns the name of a value.
     *
     * @param opcode one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
     */
    public static String toString(int opcode) {
        switch (opcode) {
            case TAG_ADD:
                return "TAG_ADD";
            case TAG_DEL:
                return "TAG_DEL";
            case TAG_SYNC:
                return "TAG_SYNC";
            default:
                return "unknown (" + opcode + ")";
        }
    }
}
