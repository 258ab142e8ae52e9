/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct efadv_device_attr}: what a device is.
 *
 * <pre>
 * 0 comp_mask(8)  8 max_sq_wr(4)  12 max_rq_wr(4)  16 max_sq_sge(2)  18 max_rq_sge(2)  20 inline_buf_size(2)
 * 22 inline_buf_size_ex(2)  24 device_caps(4)  28 max_rdma_size(4)    32 in all
 * in all, by release: 24 from 26, 32 from 27
 * </pre>
 */
@CStruct(value = "struct efadv_device_attr", header = "infiniband/efadv.h", since = 26)
public final class EfaDeviceAttrLayout {
    @CSize(size = 24)
    @CSize(since = 27, size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 0;

    @CField(value = "max_sq_wr", size = 4)
    public static final int MAX_SQ_WR = 8;

    @CField(value = "max_rq_wr", size = 4)
    public static final int MAX_RQ_WR = 12;

    @CField(value = "max_sq_sge", size = 2)
    public static final int MAX_SQ_SGE = 16;

    @CField(value = "max_rq_sge", size = 2)
    public static final int MAX_RQ_SGE = 18;

    @CField(value = "inline_buf_size", size = 2)
    public static final int INLINE_BUF_SIZE = 20;

    @CField(value = "inline_buf_size_ex", size = 2, since = 63)
    public static final int INLINE_BUF_SIZE_EX = 22;

    @CField(value = "device_caps", size = 4, since = 27)
    public static final int DEVICE_CAPS = 24;

    @CField(value = "max_rdma_size", size = 4, since = 27)
    public static final int MAX_RDMA_SIZE = 28;

    private EfaDeviceAttrLayout() {}
}
