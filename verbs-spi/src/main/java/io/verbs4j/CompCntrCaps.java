/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Capabilities of a device's completion counters: the result of {@link Context#queryCompCntrCaps()}.
 *
 * <p>Since level 4. Source: {@code struct ibv_comp_cntr_caps}, {@code ibv_query_comp_cntr_caps(3)}. Not thread-safe.
 */
public final class CompCntrCaps extends OutputAttr {
    /** Index of {@link #maxValue()}. */
    public static final int MAX_VALUE = 0;

    /** Index of {@link #maxCounters()}. */
    public static final int MAX_COUNTERS = 1;

    /** Index of {@link #supportedQpAttachOps()}. */
    public static final int SUPPORTED_QP_ATTACH_OPS = 2;

    /** The type of each field, by its index. */
    private static final Class<?>[] TYPES = {
        Long.class, // MAX_VALUE
        Integer.class, // MAX_COUNTERS
        Integer.class, // SUPPORTED_QP_ATTACH_OPS
    };

    /** Creates an instance with no field filled. */
    public CompCntrCaps() {
        super(TYPES);
    }

    /** {@return the largest value of a counter, unsigned, after which it continues at 0} */
    public long maxValue() {
        return (Long) field(MAX_VALUE, 0L);
    }

    /** {@return the number of counters that the device has, for all programs together} */
    public int maxCounters() {
        return (Integer) field(MAX_COUNTERS, 0);
    }

    /** {@return the operations that can be counted, {@link CompCntrOps} bits} */
    public int supportedQpAttachOps() {
        return (Integer) field(SUPPORTED_QP_ATTACH_OPS, 0);
    }

    @Override
    public String toString() {
        return maxCounters() + " counters up to " + Long.toUnsignedString(maxValue()) + " of "
                + CompCntrOps.toString(supportedQpAttachOps());
    }
}
