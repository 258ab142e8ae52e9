/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Types of a shared receive queue.
 *
 * <p>Since level 2. A device newer than this class may report further values. Source: {@code ibv_create_srq_ex(3)}.
 */
public final class SrqType {
    /** For queue pairs created with it. Source: {@code IBV_SRQT_BASIC}, {@code ibv_create_srq_ex(3)}. */
    public static final int BASIC = 0;

    /**
     * For any sender that specifies its number, through any queue pair of its XRC domain. Source: {@code IBV_SRQT_XRC}.
     */
    public static final int XRC = 1;

    /**
     * For queue pairs created with it, with a list of tagged buffers: a message whose tag matches goes to the tagged
     * buffer, any other to an ordinary receive. Since level 4. Source: {@code IBV_SRQT_TM},
     * {@code ibv_create_srq_ex(3)}.
     */
    public static final int TM = 2;

    private SrqType() {}

    /**
     * Returns the name of a value.
     *
     * @param type one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
     */
    public static String toString(int type) {
        switch (type) {
            case BASIC:
                return "BASIC";
            case XRC:
                return "XRC";
            case TM:
                return "TM";
            default:
                return "unknown (" + type + ")";
        }
    }
}
