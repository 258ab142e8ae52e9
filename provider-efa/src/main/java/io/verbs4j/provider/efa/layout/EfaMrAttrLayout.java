/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct efadv_mr_attr}: which interconnects a memory region is behind.
 *
 * <pre>
 * 0 comp_mask(8)  8 ic_id_validity(2)  10 recv_ic_id(2)  12 rdma_read_ic_id(2)  14 rdma_recv_ic_id(2)    16 in all
 * </pre>
 */
@CStruct(value = "struct efadv_mr_attr", header = "infiniband/efadv.h", since = 50)
public final class EfaMrAttrLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 0;

    @CField(value = "ic_id_validity", size = 2)
    public static final int IC_ID_VALIDITY = 8;

    @CField(value = "recv_ic_id", size = 2)
    public static final int RECV_IC_ID = 10;

    @CField(value = "rdma_read_ic_id", size = 2)
    public static final int RDMA_READ_IC_ID = 12;

    @CField(value = "rdma_recv_ic_id", size = 2)
    public static final int RDMA_RECV_IC_ID = 14;

    private EfaMrAttrLayout() {}
}
