/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * What a completion counter counts.
 *
 * <p>A device newer than this class may take further values. Since level 4. Source: {@code ibv_create_comp_cntr(3)}.
 */
public final class CompCntrType {
    /** Work requests. Source: {@code IBV_COMP_CNTR_TYPE_WRS}. */
    public static final int WRS = 0;

    /** Their bytes. Source: {@code IBV_COMP_CNTR_TYPE_BYTES}. */
    public static final int BYTES = 1;

    private CompCntrType() {}

    /**
     * Name of a value.
     *
     * @param type one of the constants of this class
     * @return the name, {@code "unknown (99)"} for a value 99 without one
     */
    public static String toString(int type) {
        switch (type) {
            case WRS:
                return "WRS";
            case BYTES:
                return "BYTES";
            default:
                return "unknown (" + type + ")";
        }
    }
}
