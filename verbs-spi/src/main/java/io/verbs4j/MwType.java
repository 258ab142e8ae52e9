/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Types of memory windows.
 *
 * <p>A device newer than this class may report further values. Source: {@code ibv_alloc_mw(3)}.
 */
public final class MwType {
    /**
     * Bound by its own verb; belongs to a protection domain. Source: {@code IBV_MW_TYPE_1}, {@code ibv_alloc_mw(3)}.
     */
    public static final int TYPE_1 = 1;

    /** Bound by a work request; belongs to a queue pair. Source: {@code IBV_MW_TYPE_2}, {@code ibv_alloc_mw(3)}. */
    public static final int TYPE_2 = 2;

    private MwType() {}

    /**
     * Returns the name of a value.
     *
     * @param type one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
     */
    public static String toString(int type) {
        switch (type) {
            case TYPE_1:
                return "TYPE_1";
            case TYPE_2:
                return "TYPE_2";
            default:
                return "unknown (" + type + ")";
        }
    }
}
