/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct rdma_cm_event}: something that happened to an id; {@code param} is a {@link ConnParamLayout} or a {@link UdParamLayout}.
 *
 * <pre>
 * 0 id(8)  8 listen_id(8)  16 event(4)  20 status(4)  24 param.conn(24)  24 param.ud(56)    80 in all
 * </pre>
 */
@CStruct(value = "struct rdma_cm_event", header = "rdma/rdma_cma.h")
public final class CmEventLayout {
    @CSize(size = 80)
    public static final int SIZEOF = 80;

    @CField(value = "id", size = 8)
    public static final int ID = 0;

    @CField(value = "listen_id", size = 8)
    public static final int LISTEN_ID = 8;

    @CField(value = "event", size = 4)
    public static final int EVENT = 16;

    @CField(value = "status", size = 4)
    public static final int STATUS = 20;

    @CField(value = "param.conn", size = 24)
    public static final int PARAM_CONN = 24;

    @CField(value = "param.ud", size = 56)
    public static final int PARAM_UD = 24;

    private CmEventLayout() {}
}
