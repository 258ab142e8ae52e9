/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/** Indices of arrays of work queues in {@link HblPortExAttr}. Source: {@code HBLDV_WQ_ARRAY_TYPE_*}. */
public final class HblWqArrays {
    /** For all queue pairs that no other array is for. */
    public static final int GENERIC = 0;

    /** For collectives within the server. */
    public static final int COLLECTIVE = 1;

    /** For collectives between servers. */
    public static final int SCALE_OUT_COLLECTIVE = 2;

    /** The number of indices. */
    public static final int MAX = 5;

    private HblWqArrays() {}
}
