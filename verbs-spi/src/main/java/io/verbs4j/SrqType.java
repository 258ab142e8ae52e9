/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Types of a shared receive queue.
 *
 * <p>Since level 2. A device newer than this class may report further values. Source: {@code ibv_create_srq_ex(3)}.
 */
public final class SrqType {
    /** For the queue pairs that are made with it. Source: {@code IBV_SRQT_BASIC}, ibv_create_srq_ex(3). */
    public static final int BASIC = 0;

    /** For whoever names its number, through any queue pair of its XRC domain. Source: {@code IBV_SRQT_XRC}. */
    public static final int XRC = 1;

    /**
     * For queue pairs that are made with it, and with a list of tagged buffers: what comes for a tag goes to its
     * buffer, the rest to ordinary receives. Since level 4. Source: {@code IBV_SRQT_TM}, ibv_create_srq_ex(3).
     */
    public static final int TM = 2;

    private SrqType() {}

    /**
     * Name of a value.
     *
     * @param type one of the constants of this class
     * @return the name, {@code "unknown (99)"} for a value 99 without one
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
