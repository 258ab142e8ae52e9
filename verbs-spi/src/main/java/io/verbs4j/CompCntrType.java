/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Types of completion counters: what they count.
 *
 * <p>A device newer than this class may support further values. Since level 4. Source: {@code ibv_create_comp_cntr(3)}.
 */
public final class CompCntrType {
    /** Work requests. Source: {@code IBV_COMP_CNTR_TYPE_WRS}. */
    public static final int WRS = 0;

    /** Bytes of work requests. Source: {@code IBV_COMP_CNTR_TYPE_BYTES}. */
    public static final int BYTES = 1;

    private CompCntrType() {}

    /**
     * Returns the name of a value.
     *
     * @param type one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
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
