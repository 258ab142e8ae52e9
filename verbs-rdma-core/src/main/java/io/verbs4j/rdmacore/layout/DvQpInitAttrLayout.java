/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct mlx5dv_qp_init_attr}: what a queue pair is made of beyond the verbs.
 *
 * <pre>
 * 0 comp_mask(8)  8 create_flags(4)  16 dc_init_attr.dc_type(4)  24 dc_init_attr.dct_access_key(8)
 * 24 dc_init_attr.dci_streams.log_num_concurent(1)  25 dc_init_attr.dci_streams.log_num_errored(1)
 * 32 send_ops_flags(8)    40 in all
 * in all, by release: 16 from 16, 32 from 17, 40 from 24
 * </pre>
 */
@CStruct(value = "struct mlx5dv_qp_init_attr", header = "infiniband/mlx5dv.h", since = 16)
public final class DvQpInitAttrLayout {
    @CSize(size = 16)
    @CSize(since = 17, size = 32)
    @CSize(since = 24, size = 40)
    public static final int SIZEOF = 40;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 0;

    @CField(value = "create_flags", size = 4)
    public static final int CREATE_FLAGS = 8;

    @CField(value = "dc_init_attr.dc_type", size = 4, since = 17)
    public static final int DC_INIT_ATTR_DC_TYPE = 16;

    @CField(value = "dc_init_attr.dct_access_key", size = 8, since = 17)
    public static final int DC_INIT_ATTR_DCT_ACCESS_KEY = 24;

    @CField(value = "dc_init_attr.dci_streams.log_num_concurent", size = 1, since = 37)
    public static final int DC_INIT_ATTR_DCI_STREAMS_LOG_NUM_CONCURENT = 24;

    @CField(value = "dc_init_attr.dci_streams.log_num_errored", size = 1, since = 37)
    public static final int DC_INIT_ATTR_DCI_STREAMS_LOG_NUM_ERRORED = 25;

    @CField(value = "send_ops_flags", size = 8, since = 24)
    public static final int SEND_OPS_FLAGS = 32;

    private DvQpInitAttrLayout() {}
}
