/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct rdma_conn_param}: parameters of a connection.
 *
 * <pre>
 * 0 private_data(8)  8 private_data_len(1)  9 responder_resources(1)  10 initiator_depth(1)  11 flow_control(1)
 * 12 retry_count(1)  13 rnr_retry_count(1)  14 srq(1)  16 qp_num(4)    24 in all
 * </pre>
 */
@CStruct(value = "struct rdma_conn_param", header = "rdma/rdma_cma.h")
public final class ConnParamLayout {
    @CSize(size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "private_data", size = 8)
    public static final int PRIVATE_DATA = 0;

    @CField(value = "private_data_len", size = 1)
    public static final int PRIVATE_DATA_LEN = 8;

    @CField(value = "responder_resources", size = 1)
    public static final int RESPONDER_RESOURCES = 9;

    @CField(value = "initiator_depth", size = 1)
    public static final int INITIATOR_DEPTH = 10;

    @CField(value = "flow_control", size = 1)
    public static final int FLOW_CONTROL = 11;

    @CField(value = "retry_count", size = 1)
    public static final int RETRY_COUNT = 12;

    @CField(value = "rnr_retry_count", size = 1)
    public static final int RNR_RETRY_COUNT = 13;

    @CField(value = "srq", size = 1)
    public static final int SRQ = 14;

    @CField(value = "qp_num", size = 4)
    public static final int QP_NUM = 16;

    private ConnParamLayout() {}
}
