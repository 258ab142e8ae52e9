/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_device_attr_ex}: what a device can do, extended; a {@link DeviceAttrLayout} at its start.
 *
 * <pre>
 * 0 orig_attr(232)  232 comp_mask(4)  240 odp_caps(24)  240 odp_caps.general_caps(8)
 * 248 odp_caps.per_transport_caps.rc_odp_caps(4)  252 odp_caps.per_transport_caps.uc_odp_caps(4)
 * 256 odp_caps.per_transport_caps.ud_odp_caps(4)  264 completion_timestamp_mask(8)  272 hca_core_clock(8)
 * 280 device_cap_flags_ex(8)  288 tso_caps(8)  288 tso_caps.max_tso(4)  292 tso_caps.supported_qpts(4)
 * 296 rss_caps(32)  296 rss_caps.supported_qpts(4)  300 rss_caps.max_rwq_indirection_tables(4)
 * 304 rss_caps.max_rwq_indirection_table_size(4)  312 rss_caps.rx_hash_fields_mask(8)
 * 320 rss_caps.rx_hash_function(1)  328 max_wq_type_rq(4)  332 packet_pacing_caps(12)
 * 332 packet_pacing_caps.qp_rate_limit_min(4)  336 packet_pacing_caps.qp_rate_limit_max(4)
 * 340 packet_pacing_caps.supported_qpts(4)  344 raw_packet_caps(4)  348 tm_caps(20)
 * 348 tm_caps.max_rndv_hdr_size(4)  352 tm_caps.max_num_tags(4)  356 tm_caps.flags(4)  360 tm_caps.max_ops(4)
 * 364 tm_caps.max_sge(4)  368 cq_mod_caps(4)  368 cq_mod_caps.max_cq_count(2)  370 cq_mod_caps.max_cq_period(2)
 * 376 max_dm_size(8)  384 pci_atomic_caps(6)  384 pci_atomic_caps.fetch_add(2)  386 pci_atomic_caps.swap(2)
 * 388 pci_atomic_caps.compare_swap(2)  392 xrc_odp_caps(4)  396 phys_port_cnt_ex(4)@35    400 in all
 * in all, by release: 336 from 12, 344 from 13, 352 from 14, 376 from 16, 384 from 18, 400 from 23
 * </pre>
 */
@CStruct("struct ibv_device_attr_ex")
public final class DeviceAttrExLayout {
    @CSize(size = 336)
    @CSize(since = 13, size = 344)
    @CSize(since = 14, size = 352)
    @CSize(since = 16, size = 376)
    @CSize(since = 18, size = 384)
    @CSize(since = 23, size = 400)
    public static final int SIZEOF = 400;

    @CField(value = "orig_attr", size = 232)
    public static final int ORIG_ATTR = 0;

    @CField(value = "comp_mask", size = 4)
    public static final int COMP_MASK = 232;

    @CField(value = "odp_caps", size = 24)
    public static final int ODP_CAPS = 240;

    @CField(value = "odp_caps.general_caps", size = 8)
    public static final int ODP_CAPS_GENERAL_CAPS = 240;

    @CField(value = "odp_caps.per_transport_caps.rc_odp_caps", size = 4)
    public static final int ODP_CAPS_PER_TRANSPORT_CAPS_RC_ODP_CAPS = 248;

    @CField(value = "odp_caps.per_transport_caps.uc_odp_caps", size = 4)
    public static final int ODP_CAPS_PER_TRANSPORT_CAPS_UC_ODP_CAPS = 252;

    @CField(value = "odp_caps.per_transport_caps.ud_odp_caps", size = 4)
    public static final int ODP_CAPS_PER_TRANSPORT_CAPS_UD_ODP_CAPS = 256;

    @CField(value = "completion_timestamp_mask", size = 8)
    public static final int COMPLETION_TIMESTAMP_MASK = 264;

    @CField(value = "hca_core_clock", size = 8)
    public static final int HCA_CORE_CLOCK = 272;

    @CField(value = "device_cap_flags_ex", size = 8)
    public static final int DEVICE_CAP_FLAGS_EX = 280;

    @CField(value = "tso_caps", size = 8)
    public static final int TSO_CAPS = 288;

    @CField(value = "tso_caps.max_tso", size = 4)
    public static final int TSO_CAPS_MAX_TSO = 288;

    @CField(value = "tso_caps.supported_qpts", size = 4)
    public static final int TSO_CAPS_SUPPORTED_QPTS = 292;

    @CField(value = "rss_caps", size = 32)
    public static final int RSS_CAPS = 296;

    @CField(value = "rss_caps.supported_qpts", size = 4)
    public static final int RSS_CAPS_SUPPORTED_QPTS = 296;

    @CField(value = "rss_caps.max_rwq_indirection_tables", size = 4)
    public static final int RSS_CAPS_MAX_RWQ_INDIRECTION_TABLES = 300;

    @CField(value = "rss_caps.max_rwq_indirection_table_size", size = 4)
    public static final int RSS_CAPS_MAX_RWQ_INDIRECTION_TABLE_SIZE = 304;

    @CField(value = "rss_caps.rx_hash_fields_mask", size = 8)
    public static final int RSS_CAPS_RX_HASH_FIELDS_MASK = 312;

    @CField(value = "rss_caps.rx_hash_function", size = 1)
    public static final int RSS_CAPS_RX_HASH_FUNCTION = 320;

    @CField(value = "max_wq_type_rq", size = 4)
    public static final int MAX_WQ_TYPE_RQ = 328;

    @CField(value = "packet_pacing_caps", size = 12, since = 13)
    public static final int PACKET_PACING_CAPS = 332;

    @CField(value = "packet_pacing_caps.qp_rate_limit_min", size = 4, since = 13)
    public static final int PACKET_PACING_CAPS_QP_RATE_LIMIT_MIN = 332;

    @CField(value = "packet_pacing_caps.qp_rate_limit_max", size = 4, since = 13)
    public static final int PACKET_PACING_CAPS_QP_RATE_LIMIT_MAX = 336;

    @CField(value = "packet_pacing_caps.supported_qpts", size = 4, since = 13)
    public static final int PACKET_PACING_CAPS_SUPPORTED_QPTS = 340;

    @CField(value = "raw_packet_caps", size = 4, since = 14)
    public static final int RAW_PACKET_CAPS = 344;

    @CField(value = "tm_caps", size = 20, since = 16)
    public static final int TM_CAPS = 348;

    @CField(value = "tm_caps.max_rndv_hdr_size", size = 4, since = 16)
    public static final int TM_CAPS_MAX_RNDV_HDR_SIZE = 348;

    @CField(value = "tm_caps.max_num_tags", size = 4, since = 16)
    public static final int TM_CAPS_MAX_NUM_TAGS = 352;

    @CField(value = "tm_caps.flags", size = 4, since = 16)
    public static final int TM_CAPS_FLAGS = 356;

    @CField(value = "tm_caps.max_ops", size = 4, since = 16)
    public static final int TM_CAPS_MAX_OPS = 360;

    @CField(value = "tm_caps.max_sge", size = 4, since = 16)
    public static final int TM_CAPS_MAX_SGE = 364;

    @CField(value = "cq_mod_caps", size = 4, since = 16)
    public static final int CQ_MOD_CAPS = 368;

    @CField(value = "cq_mod_caps.max_cq_count", size = 2, since = 16)
    public static final int CQ_MOD_CAPS_MAX_CQ_COUNT = 368;

    @CField(value = "cq_mod_caps.max_cq_period", size = 2, since = 16)
    public static final int CQ_MOD_CAPS_MAX_CQ_PERIOD = 370;

    @CField(value = "max_dm_size", size = 8, since = 18)
    public static final int MAX_DM_SIZE = 376;

    @CField(value = "pci_atomic_caps", size = 6, since = 23)
    public static final int PCI_ATOMIC_CAPS = 384;

    @CField(value = "pci_atomic_caps.fetch_add", size = 2, since = 23)
    public static final int PCI_ATOMIC_CAPS_FETCH_ADD = 384;

    @CField(value = "pci_atomic_caps.swap", size = 2, since = 23)
    public static final int PCI_ATOMIC_CAPS_SWAP = 386;

    @CField(value = "pci_atomic_caps.compare_swap", size = 2, since = 23)
    public static final int PCI_ATOMIC_CAPS_COMPARE_SWAP = 388;

    @CField(value = "xrc_odp_caps", size = 4, since = 23)
    public static final int XRC_ODP_CAPS = 392;

    @CField(value = "phys_port_cnt_ex", size = 4, since = 35)
    public static final int PHYS_PORT_CNT_EX = 396;

    private DeviceAttrExLayout() {}
}
