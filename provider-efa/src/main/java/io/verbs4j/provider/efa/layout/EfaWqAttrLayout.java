/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct efadv_wq_attr}: where a work queue is.
 *
 * <pre>
 * 0 comp_mask(8)  8 buffer(8)  16 entry_size(4)  20 num_entries(4)  24 doorbell(8)  32 max_batch(4)
 * 36 caps(2)    40 in all
 * </pre>
 */
@CStruct(value = "struct efadv_wq_attr", header = "infiniband/efadv.h", since = 59)
public final class EfaWqAttrLayout {
    @CSize(size = 40)
    public static final int SIZEOF = 40;

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

    @CField(value = "max_batch", size = 4)
    public static final int MAX_BATCH = 32;

    @CField(value = "caps", size = 2, since = 65)
    public static final int CAPS = 36;

    private EfaWqAttrLayout() {}
}
