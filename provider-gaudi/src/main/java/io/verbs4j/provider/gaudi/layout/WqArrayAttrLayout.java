/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

/**
 * {@code struct hbldv_wq_array_attr}: an array of work queues.
 *
 * <pre>
 * 0 max_num_of_wqs(4)  4 max_num_of_wqes_in_wq(4)  8 mem_id(4)  12 swq_granularity(4)    16 in all
 * </pre>
 */
public final class WqArrayAttrLayout {
    public static final int SIZEOF = 16;
    public static final int MAX_NUM_OF_WQS = 0;
    public static final int MAX_NUM_OF_WQES_IN_WQ = 4;
    public static final int MEM_ID = 8;
    public static final int SWQ_GRANULARITY = 12;

    private WqArrayAttrLayout() {}
}
