/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct efadv_rq_depth_attr}: what the depth of a receive queue depends on.
 *
 * <pre>
 * 0 comp_mask(8)  8 max_recv_sge(4)    16 in all
 * </pre>
 */
@CStruct(value = "struct efadv_rq_depth_attr", header = "infiniband/efadv.h", since = 63)
public final class EfaRqDepthAttrLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 0;

    @CField(value = "max_recv_sge", size = 4)
    public static final int MAX_RECV_SGE = 8;

    private EfaRqDepthAttrLayout() {}
}
