/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Values that select what to flush: {@link SendWorkRequest#flushLevel()}.
 *
 * <p>Since level 3. Source: {@code enum ibv_selectivity_level}, {@code ibv_wr_flush(3)}.
 */
public final class FlushLevel {
    /** Only the range. Source: {@code IBV_FLUSH_RANGE}. */
    public static final int RANGE = 0;

    /** All of the memory region. Source: {@code IBV_FLUSH_MR}. */
    public static final int MR = 1;

    private FlushLevel() {}

    /**
     * Returns the name of a value.
     *
     * @param level one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
     */
    public static String toString(int level) {
        switch (level) {
            case RANGE:
                return "RANGE";
            case MR:
                return "MR";
            default:
                return "unknown (" + level + ")";
        }
    }
}
