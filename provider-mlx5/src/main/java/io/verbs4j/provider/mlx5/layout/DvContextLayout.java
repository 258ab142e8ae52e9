/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_context}: what a device has beyond the verbs.
 *
 * <pre>
 * 0 version(1)  8 flags(8)  16 comp_mask(8)  24 cqe_comp_caps.max_num(4)  28 cqe_comp_caps.supported_format(4)
 * 32 sw_parsing_caps.sw_parsing_offloads(4)  36 sw_parsing_caps.supported_qpts(4)
 * 40 striding_rq_caps.min_single_stride_log_num_of_bytes(4)
 * 44 striding_rq_caps.max_single_stride_log_num_of_bytes(4)  48 striding_rq_caps.min_single_wqe_log_num_of_strides(4)
 * 52 striding_rq_caps.max_single_wqe_log_num_of_strides(4)  56 striding_rq_caps.supported_qpts(4)
 * 60 tunnel_offloads_caps(4)  64 max_dynamic_bfregs(4)  72 max_clock_info_update_nsec(8)  80 flow_action_flags(4)
 * 84 dc_odp_caps(4)  88 hca_core_clock(8)  96 num_lag_ports(1)  104 sig_caps.block_size(8)
 * 112 sig_caps.block_prot(4)  116 sig_caps.t10dif_bg(2)  118 sig_caps.crc_type(2)
 * 120 dci_streams_caps.max_log_num_concurent(1)  121 dci_streams_caps.max_log_num_errored(1)
 * 128 max_wr_memcpy_length(8)  136 crypto_caps.failed_selftests(2)  138 crypto_caps.crypto_engines(1)
 * 139 crypto_caps.wrapped_import_method(1)  140 crypto_caps.log_max_num_deks(1)  144 crypto_caps.flags(4)
 * 152 max_dc_rd_atom(8)  160 max_dc_init_rd_atom(8)  168 reg_c0.value(4)  172 reg_c0.mask(4)
 * 176 ooo_recv_wrs_caps.max_rc(4)  180 ooo_recv_wrs_caps.max_xrc(4)  184 ooo_recv_wrs_caps.max_dct(4)
 * 188 ooo_recv_wrs_caps.max_ud(4)  192 ooo_recv_wrs_caps.max_uc(4)    200 in all
 * in all, by release: 24 from 13, 32 from 14, 64 from 16, 80 from 17, 88 from 18, 96 from 27, 104 from 30,
 * 120 from 36, 152 from 37, 168 from 47, 176 from 50, 200 from 55
 * </pre>
 */
@CStruct(value = "struct mlx5dv_context", header = "infiniband/mlx5dv.h")
public final class DvContextLayout {
    @CSize(size = 24)
    @CSize(since = 14, size = 32)
    @CSize(since = 16, size = 64)
    @CSize(since = 17, size = 80)
    @CSize(since = 18, size = 88)
    @CSize(since = 27, size = 96)
    @CSize(since = 30, size = 104)
    @CSize(since = 36, size = 120)
    @CSize(since = 37, size = 152)
    @CSize(since = 47, size = 168)
    @CSize(since = 50, size = 176)
    @CSize(since = 55, size = 200)
    public static final int SIZEOF = 200;

    @CField(value = "version", size = 1)
    public static final int VERSION = 0;

    @CField(value = "flags", size = 8)
    public static final int FLAGS = 8;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 16;

    @CField(value = "cqe_comp_caps.max_num", size = 4, since = 14)
    public static final int CQE_COMP_CAPS_MAX_NUM = 24;

    @CField(value = "cqe_comp_caps.supported_format", size = 4, since = 14)
    public static final int CQE_COMP_CAPS_SUPPORTED_FORMAT = 28;

    @CField(value = "sw_parsing_caps.sw_parsing_offloads", size = 4, since = 16)
    public static final int SW_PARSING_CAPS_SW_PARSING_OFFLOADS = 32;

    @CField(value = "sw_parsing_caps.supported_qpts", size = 4, since = 16)
    public static final int SW_PARSING_CAPS_SUPPORTED_QPTS = 36;

    @CField(value = "striding_rq_caps.min_single_stride_log_num_of_bytes", size = 4, since = 16)
    public static final int STRIDING_RQ_CAPS_MIN_SINGLE_STRIDE_LOG_NUM_OF_BYTES = 40;

    @CField(value = "striding_rq_caps.max_single_stride_log_num_of_bytes", size = 4, since = 16)
    public static final int STRIDING_RQ_CAPS_MAX_SINGLE_STRIDE_LOG_NUM_OF_BYTES = 44;

    @CField(value = "striding_rq_caps.min_single_wqe_log_num_of_strides", size = 4, since = 16)
    public static final int STRIDING_RQ_CAPS_MIN_SINGLE_WQE_LOG_NUM_OF_STRIDES = 48;

    @CField(value = "striding_rq_caps.max_single_wqe_log_num_of_strides", size = 4, since = 16)
    public static final int STRIDING_RQ_CAPS_MAX_SINGLE_WQE_LOG_NUM_OF_STRIDES = 52;

    @CField(value = "striding_rq_caps.supported_qpts", size = 4, since = 16)
    public static final int STRIDING_RQ_CAPS_SUPPORTED_QPTS = 56;

    @CField(value = "tunnel_offloads_caps", size = 4, since = 16)
    public static final int TUNNEL_OFFLOADS_CAPS = 60;

    @CField(value = "max_dynamic_bfregs", size = 4, since = 17)
    public static final int MAX_DYNAMIC_BFREGS = 64;

    @CField(value = "max_clock_info_update_nsec", size = 8, since = 17)
    public static final int MAX_CLOCK_INFO_UPDATE_NSEC = 72;

    @CField(value = "flow_action_flags", size = 4, since = 18)
    public static final int FLOW_ACTION_FLAGS = 80;

    @CField(value = "dc_odp_caps", size = 4, since = 26)
    public static final int DC_ODP_CAPS = 84;

    @CField(value = "hca_core_clock", size = 8, since = 27)
    public static final int HCA_CORE_CLOCK = 88;

    @CField(value = "num_lag_ports", size = 1, since = 30)
    public static final int NUM_LAG_PORTS = 96;

    @CField(value = "sig_caps.block_size", size = 8, since = 36)
    public static final int SIG_CAPS_BLOCK_SIZE = 104;

    @CField(value = "sig_caps.block_prot", size = 4, since = 36)
    public static final int SIG_CAPS_BLOCK_PROT = 112;

    @CField(value = "sig_caps.t10dif_bg", size = 2, since = 36)
    public static final int SIG_CAPS_T10DIF_BG = 116;

    @CField(value = "sig_caps.crc_type", size = 2, since = 36)
    public static final int SIG_CAPS_CRC_TYPE = 118;

    @CField(value = "dci_streams_caps.max_log_num_concurent", size = 1, since = 37)
    public static final int DCI_STREAMS_CAPS_MAX_LOG_NUM_CONCURENT = 120;

    @CField(value = "dci_streams_caps.max_log_num_errored", size = 1, since = 37)
    public static final int DCI_STREAMS_CAPS_MAX_LOG_NUM_ERRORED = 121;

    @CField(value = "max_wr_memcpy_length", size = 8, since = 37)
    public static final int MAX_WR_MEMCPY_LENGTH = 128;

    @CField(value = "crypto_caps.failed_selftests", size = 2, since = 37)
    public static final int CRYPTO_CAPS_FAILED_SELFTESTS = 136;

    @CField(value = "crypto_caps.crypto_engines", size = 1, since = 37)
    public static final int CRYPTO_CAPS_CRYPTO_ENGINES = 138;

    @CField(value = "crypto_caps.wrapped_import_method", size = 1, since = 37)
    public static final int CRYPTO_CAPS_WRAPPED_IMPORT_METHOD = 139;

    @CField(value = "crypto_caps.log_max_num_deks", size = 1, since = 37)
    public static final int CRYPTO_CAPS_LOG_MAX_NUM_DEKS = 140;

    @CField(value = "crypto_caps.flags", size = 4, since = 37)
    public static final int CRYPTO_CAPS_FLAGS = 144;

    @CField(value = "max_dc_rd_atom", size = 8, since = 47)
    public static final int MAX_DC_RD_ATOM = 152;

    @CField(value = "max_dc_init_rd_atom", size = 8, since = 47)
    public static final int MAX_DC_INIT_RD_ATOM = 160;

    @CField(value = "reg_c0.value", size = 4, since = 50)
    public static final int REG_C0_VALUE = 168;

    @CField(value = "reg_c0.mask", size = 4, since = 50)
    public static final int REG_C0_MASK = 172;

    @CField(value = "ooo_recv_wrs_caps.max_rc", size = 4, since = 55)
    public static final int OOO_RECV_WRS_CAPS_MAX_RC = 176;

    @CField(value = "ooo_recv_wrs_caps.max_xrc", size = 4, since = 55)
    public static final int OOO_RECV_WRS_CAPS_MAX_XRC = 180;

    @CField(value = "ooo_recv_wrs_caps.max_dct", size = 4, since = 55)
    public static final int OOO_RECV_WRS_CAPS_MAX_DCT = 184;

    @CField(value = "ooo_recv_wrs_caps.max_ud", size = 4, since = 55)
    public static final int OOO_RECV_WRS_CAPS_MAX_UD = 188;

    @CField(value = "ooo_recv_wrs_caps.max_uc", size = 4, since = 55)
    public static final int OOO_RECV_WRS_CAPS_MAX_UC = 192;

    private DvContextLayout() {}
}
