/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * What a counter counts: {@link CounterAttachAttr#counterDesc()}. Since level 4. Source:
 * {@code enum ibv_counter_description}, {@code ibv_attach_counters_point_flow(3)}.
 */
public final class CounterDescription {
    /** Packets. Source: {@code IBV_COUNTER_PACKETS}, {@code ibv_attach_counters_point_flow(3)}. */
    public static final int PACKETS = 0;

    /** Bytes. Source: {@code IBV_COUNTER_BYTES}, {@code ibv_attach_counters_point_flow(3)}. */
    public static final int BYTES = 1;

    private CounterDescription() {}

    /**
     * Returns the name of a value.
     *
     * @param value one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
     */
    public static String toString(int value) {
        switch (value) {
            case PACKETS:
                return "PACKETS";
            case BYTES:
                return "BYTES";
            default:
                return "unknown (" + value + ")";
        }
    }
}
