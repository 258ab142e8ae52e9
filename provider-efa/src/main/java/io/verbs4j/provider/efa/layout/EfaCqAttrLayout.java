/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct efadv_cq_attr}: where a completion queue is.
 *
 * <pre>
 * 0 comp_mask(8)  8 buffer(8)  16 entry_size(4)  20 num_entries(4)  24 doorbell(8)    32 in all
 * </pre>
 */
@CStruct(value = "struct efadv_cq_attr", header = "infiniband/efadv.h", since = 59)
public final class EfaCqAttrLayout {
    @CSize(size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 0;

    @CField(value = "buffer", size = 8)
    public static final int BUFFER = 8;

    @CField(value = "entry_size", size = 4)
    public static final int ENTRY_SIZE = 16;

    @CField(value = "num_entries", size = 4)
    public static final int NUM_ENTRIES = 20;

    @CField(value = "doorbell", size = 8)
    public static final int DOORBELL = 24;

    private EfaCqAttrLayout() {}
}
