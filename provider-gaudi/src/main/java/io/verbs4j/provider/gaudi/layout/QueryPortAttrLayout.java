/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct hbldv_query_port_attr}: what a port has.
 *
 * <pre>
 * 0 max_num_of_qps(4)  4 num_allocated_qps(4)  8 max_allocated_qp_num(4)  12 max_cq_size(4)
 * 16 max_num_of_scale_out_coll_qps(4)  20 max_num_of_coll_qps(4)  24 base_scale_out_coll_qp_num(4)
 * 28 base_coll_qp_num(4)  32 coll_qps_offset(4)  36 advanced(1)  37 max_num_of_cqs(1)  38 max_num_of_usr_fifos(1)
 * 39 max_num_of_encaps(1)  40 nic_macro_idx(1)  41 nic_phys_port_idx(1)    44 in all
 * upstream, 16 to 35 are not written
 * </pre>
 */
@CStruct(value = "struct hbldv_query_port_attr", header = "infiniband/hbldv.h")
public final class QueryPortAttrLayout {
    @CSize(size = 44)
    public static final int SIZEOF = 44;

    @CField(value = "max_num_of_qps", size = 4)
    public static final int MAX_NUM_OF_QPS = 0;

    @CField(value = "num_allocated_qps", size = 4)
    public static final int NUM_ALLOCATED_QPS = 4;

    @CField(value = "max_allocated_qp_num", size = 4)
    public static final int MAX_ALLOCATED_QP_NUM = 8;

    @CField(value = "max_cq_size", size = 4)
    public static final int MAX_CQ_SIZE = 12;

    @CField(value = "max_num_of_scale_out_coll_qps", size = 4)
    public static final int MAX_NUM_OF_SCALE_OUT_COLL_QPS = 16;

    @CField(value = "max_num_of_coll_qps", size = 4)
    public static final int MAX_NUM_OF_COLL_QPS = 20;

    @CField(value = "base_scale_out_coll_qp_num", size = 4)
    public static final int BASE_SCALE_OUT_COLL_QP_NUM = 24;

    @CField(value = "base_coll_qp_num", size = 4)
    public static final int BASE_COLL_QP_NUM = 28;

    @CField(value = "coll_qps_offset", size = 4)
    public static final int COLL_QPS_OFFSET = 32;

    @CField(value = "advanced", size = 1)
    public static final int ADVANCED = 36;

    @CField(value = "max_num_of_cqs", size = 1)
    public static final int MAX_NUM_OF_CQS = 37;

    @CField(value = "max_num_of_usr_fifos", size = 1)
    public static final int MAX_NUM_OF_USR_FIFOS = 38;

    @CField(value = "max_num_of_encaps", size = 1)
    public static final int MAX_NUM_OF_ENCAPS = 39;

    @CField(value = "nic_macro_idx", size = 1)
    public static final int NIC_MACRO_IDX = 40;

    @CField(value = "nic_phys_port_idx", size = 1)
    public static final int NIC_PHYS_PORT_IDX = 41;

    private QueryPortAttrLayout() {}
}
