/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Types of memory window.
 *
 * <p>A device newer than this class may report further values. Source: {@code ibv_alloc_mw(3)}.
 */
public final class MwType {
    /** Bound by a verb of its own, belongs to a protection domain. Source: {@code IBV_MW_TYPE_1}, ibv_alloc_mw(3). */
    public static final int TYPE_1 = 1;

    /** Bound by a work request, belongs to a queue pair. Source: {@code IBV_MW_TYPE_2}, ibv_alloc_mw(3). */
    public static final int TYPE_2 = 2;

    private MwType() {}

    /**
     * Name of a value.
     *
     * @param type one of the constants of this class
     * @return the name, {@code "unknown (99)"} for a value 99 without one
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
