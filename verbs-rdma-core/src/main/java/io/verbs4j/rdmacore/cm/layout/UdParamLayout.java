/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct rdma_ud_param}: where datagrams go; its {@code ah_attr} is an {@link io.verbs4j.rdmacore.layout.AhAttrLayout}.
 *
 * <pre>
 * 0 private_data(8)  8 private_data_len(1)  16 ah_attr(32)  48 qp_num(4)  52 qkey(4)    56 in all
 * </pre>
 */
@CStruct(value = "struct rdma_ud_param", header = "rdma/rdma_cma.h")
public final class UdParamLayout {
    @CSize(size = 56)
    public static final int SIZEOF = 56;

    @CField(value = "private_data", size = 8)
    public static final int PRIVATE_DATA = 0;

    @CField(value = "private_data_len", size = 1)
    public static final int PRIVATE_DATA_LEN = 8;

    @CField(value = "ah_attr", size = 32)
    public static final int AH_ATTR = 16;

    @CField(value = "qp_num", size = 4)
    public static final int QP_NUM = 48;

    @CField(value = "qkey", size = 4)
    public static final int QKEY = 52;

    private UdParamLayout() {}
}
