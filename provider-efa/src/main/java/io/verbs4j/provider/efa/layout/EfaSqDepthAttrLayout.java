/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct efadv_sq_depth_attr}: what the depth of a send queue depends on.
 *
 * <pre>
 * 0 comp_mask(8)  8 flags(4)  12 max_send_sge(4)  16 max_rdma_sge(4)  20 max_inline_data(4)    24 in all
 * </pre>
 */
@CStruct(value = "struct efadv_sq_depth_attr", header = "infiniband/efadv.h", since = 63)
public final class EfaSqDepthAttrLayout {
    @CSize(size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 0;

    @CField(value = "flags", size = 4)
    public static final int FLAGS = 8;

    @CField(value = "max_send_sge", size = 4)
    public static final int MAX_SEND_SGE = 12;

    @CField(value = "max_rdma_sge", size = 4)
    public static final int MAX_RDMA_SGE = 16;

    @CField(value = "max_inline_data", size = 4)
    public static final int MAX_INLINE_DATA = 20;

    private EfaSqDepthAttrLayout() {}
}
