/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct rdma_cm_id}: one end; what is not here is librdmacm's own.
 *
 * <pre>
 * 0 verbs(8)  8 channel(8)  24 qp(8)  32 route.addr.src_storage(128)  160 route.addr.dst_storage(128)  344 ps(4)
 * 348 port_num(1)  408 qp_type(4)    416 in all
 * </pre>
 */
@CStruct(value = "struct rdma_cm_id", header = "rdma/rdma_cma.h")
public final class CmIdLayout {
    @CSize(size = 416)
    public static final int SIZEOF = 416;

    @CField(value = "verbs", size = 8)
    public static final int VERBS = 0;

    @CField(value = "channel", size = 8)
    public static final int CHANNEL = 8;

    @CField(value = "qp", size = 8)
    public static final int QP = 24;

    @CField(value = "route.addr.src_storage", size = 128)
    public static final int ROUTE_ADDR_SRC_STORAGE = 32;

    @CField(value = "route.addr.dst_storage", size = 128)
    public static final int ROUTE_ADDR_DST_STORAGE = 160;

    @CField(value = "ps", size = 4)
    public static final int PS = 344;

    @CField(value = "port_num", size = 1)
    public static final int PORT_NUM = 348;

    @CField(value = "qp_type", size = 4)
    public static final int QP_TYPE = 408;

    private CmIdLayout() {}
}
