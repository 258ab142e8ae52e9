/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Values that tell what is to be flushed: {@link SendWorkRequest#flushLevel()}.
 *
 * <p>Since level 3. Source: {@code enum ibv_selectivity_level}, ibv_wr_flush(3).
 */
public final class FlushLevel {
    /** The range alone. Source: {@code IBV_FLUSH_RANGE}. */
    public static final int RANGE = 0;

    /** All of the memory region. Source: {@code IBV_FLUSH_MR}. */
    public static final int MR = 1;

    private FlushLevel() {}

    /**
     * Name of a value.
     *
     * @param level one of the constants of this class
     * @return the name, {@code "unknown (99)"} for a value 99 without one
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
