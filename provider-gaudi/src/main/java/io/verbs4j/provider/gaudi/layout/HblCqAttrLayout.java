/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct hbldv_cq_attr}: what a completion queue is made of beyond the verbs.
 *
 * <pre>
 * 0 port_num(1)  4 cq_type(4)    8 in all
 * </pre>
 */
@CStruct(value = "struct hbldv_cq_attr", header = "infiniband/hbldv.h")
public final class HblCqAttrLayout {
    @CSize(size = 8)
    public static final int SIZEOF = 8;

    @CField(value = "port_num", size = 1)
    public static final int PORT_NUM = 0;

    @CField(value = "cq_type", size = 4)
    public static final int CQ_TYPE = 4;

    private HblCqAttrLayout() {}
}
