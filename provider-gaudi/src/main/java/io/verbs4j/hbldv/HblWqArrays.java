/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/** Arrays of work queues, places in {@link HblPortExAttr}. Source: {@code HBLDV_WQ_ARRAY_TYPE_*}. */
public final class HblWqArrays {
    /** That of all queue pairs that are of no other. */
    public static final int GENERIC = 0;

    /** For collectives within the server. */
    public static final int COLLECTIVE = 1;

    /** For collectives between servers. */
    public static final int SCALE_OUT_COLLECTIVE = 2;

    /** How many places there are. */
    public static final int MAX = 5;

    private HblWqArrays() {}
}
