/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct efadv_qp}: the function that writes what requests have beyond the verbs.
 *
 * <pre>
 * 0 comp_mask(8)  8 wr_set_processing_hints(8)    16 in all
 * </pre>
 */
@CStruct(value = "struct efadv_qp", header = "infiniband/efadv.h", since = 64)
public final class EfaQpExLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 0;

    @CField(value = "wr_set_processing_hints", size = 8)
    public static final int WR_SET_PROCESSING_HINTS = 8;

    private EfaQpExLayout() {}
}
