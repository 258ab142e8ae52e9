/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct hbldv_wq_array_attr}: an array of work queues.
 *
 * <pre>
 * 0 max_num_of_wqs(4)  4 max_num_of_wqes_in_wq(4)  8 mem_id(4)  12 swq_granularity(4)    16 in all
 * </pre>
 */
@CStruct(value = "struct hbldv_wq_array_attr", header = "infiniband/hbldv.h")
public final class WqArrayAttrLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "max_num_of_wqs", size = 4)
    public static final int MAX_NUM_OF_WQS = 0;

    @CField(value = "max_num_of_wqes_in_wq", size = 4)
    public static final int MAX_NUM_OF_WQES_IN_WQ = 4;

    @CField(value = "mem_id", size = 4)
    public static final int MEM_ID = 8;

    @CField(value = "swq_granularity", size = 4)
    public static final int SWQ_GRANULARITY = 12;

    private WqArrayAttrLayout() {}
}
