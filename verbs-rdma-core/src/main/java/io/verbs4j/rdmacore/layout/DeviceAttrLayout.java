/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_device_attr}: what a device can do.
 *
 * <pre>
 * 0 fw_ver(64)  64 node_guid(8)  72 sys_image_guid(8)  80 max_mr_size(8)  88 page_size_cap(8)  96 vendor_id(4)
 * 100 vendor_part_id(4)  104 hw_ver(4)  108 max_qp(4)  112 max_qp_wr(4)  116 device_cap_flags(4)  120 max_sge(4)
 * 124 max_sge_rd(4)  128 max_cq(4)  132 max_cqe(4)  136 max_mr(4)  140 max_pd(4)  144 max_qp_rd_atom(4)
 * 148 max_ee_rd_atom(4)  152 max_res_rd_atom(4)  156 max_qp_init_rd_atom(4)  160 max_ee_init_rd_atom(4)
 * 164 atomic_cap(4)  168 max_ee(4)  172 max_rdd(4)  176 max_mw(4)  180 max_raw_ipv6_qp(4)  184 max_raw_ethy_qp(4)
 * 188 max_mcast_grp(4)  192 max_mcast_qp_attach(4)  196 max_total_mcast_qp_attach(4)  200 max_ah(4)
 * 204 max_fmr(4)  208 max_map_per_fmr(4)  212 max_srq(4)  216 max_srq_wr(4)  220 max_srq_sge(4)  224 max_pkeys(2)
 * 226 local_ca_ack_delay(1)  227 phys_port_cnt(1)    232 in all
 * </pre>
 */
@CStruct("struct ibv_device_attr")
public final class DeviceAttrLayout {
    @CSize(size = 232)
    public static final int SIZEOF = 232;

    @CField(value = "fw_ver", size = 64)
    public static final int FW_VER = 0;

    @CField(value = "node_guid", size = 8)
    public static final int NODE_GUID = 64;

    @CField(value = "sys_image_guid", size = 8)
    public static final int SYS_IMAGE_GUID = 72;

    @CField(value = "max_mr_size", size = 8)
    public static final int MAX_MR_SIZE = 80;

    @CField(value = "page_size_cap", size = 8)
    public static final int PAGE_SIZE_CAP = 88;

    @CField(value = "vendor_id", size = 4)
    public static final int VENDOR_ID = 96;

    @CField(value = "vendor_part_id", size = 4)
    public static final int VENDOR_PART_ID = 100;

    @CField(value = "hw_ver", size = 4)
    public static final int HW_VER = 104;

    @CField(value = "max_qp", size = 4)
    public static final int MAX_QP = 108;

    @CField(value = "max_qp_wr", size = 4)
    public static final int MAX_QP_WR = 112;

    @CField(value = "device_cap_flags", size = 4)
    public static final int DEVICE_CAP_FLAGS = 116;

    @CField(value = "max_sge", size = 4)
    public static final int MAX_SGE = 120;

    @CField(value = "max_sge_rd", size = 4)
    public static final int MAX_SGE_RD = 124;

    @CField(value = "max_cq", size = 4)
    public static final int MAX_CQ = 128;

    @CField(value = "max_cqe", size = 4)
    public static final int MAX_CQE = 132;

    @CField(value = "max_mr", size = 4)
    public static final int MAX_MR = 136;

    @CField(value = "max_pd", size = 4)
    public static final int MAX_PD = 140;

    @CField(value = "max_qp_rd_atom", size = 4)
    public static final int MAX_QP_RD_ATOM = 144;

    @CField(value = "max_ee_rd_atom", size = 4)
    public static final int MAX_EE_RD_ATOM = 148;

    @CField(value = "max_res_rd_atom", size = 4)
    public static final int MAX_RES_RD_ATOM = 152;

    @CField(value = "max_qp_init_rd_atom", size = 4)
    public static final int MAX_QP_INIT_RD_ATOM = 156;

    @CField(value = "max_ee_init_rd_atom", size = 4)
    public static final int MAX_EE_INIT_RD_ATOM = 160;

    @CField(value = "atomic_cap", size = 4)
    public static final int ATOMIC_CAP = 164;

    @CField(value = "max_ee", size = 4)
    public static final int MAX_EE = 168;

    @CField(value = "max_rdd", size = 4)
    public static final int MAX_RDD = 172;

    @CField(value = "max_mw", size = 4)
    public static final int MAX_MW = 176;

    @CField(value = "max_raw_ipv6_qp", size = 4)
    public static final int MAX_RAW_IPV6_QP = 180;

    @CField(value = "max_raw_ethy_qp", size = 4)
    public static final int MAX_RAW_ETHY_QP = 184;

    @CField(value = "max_mcast_grp", size = 4)
    public static final int MAX_MCAST_GRP = 188;

    @CField(value = "max_mcast_qp_attach", size = 4)
    public static final int MAX_MCAST_QP_ATTACH = 192;

    @CField(value = "max_total_mcast_qp_attach", size = 4)
    public static final int MAX_TOTAL_MCAST_QP_ATTACH = 196;

    @CField(value = "max_ah", size = 4)
    public static final int MAX_AH = 200;

    @CField(value = "max_fmr", size = 4)
    public static final int MAX_FMR = 204;

    @CField(value = "max_map_per_fmr", size = 4)
    public static final int MAX_MAP_PER_FMR = 208;

    @CField(value = "max_srq", size = 4)
    public static final int MAX_SRQ = 212;

    @CField(value = "max_srq_wr", size = 4)
    public static final int MAX_SRQ_WR = 216;

    @CField(value = "max_srq_sge", size = 4)
    public static final int MAX_SRQ_SGE = 220;

    @CField(value = "max_pkeys", size = 2)
    public static final int MAX_PKEYS = 224;

    @CField(value = "local_ca_ack_delay", size = 1)
    public static final int LOCAL_CA_ACK_DELAY = 226;

    @CField(value = "phys_port_cnt", size = 1)
    public static final int PHYS_PORT_CNT = 227;

    private DeviceAttrLayout() {}
}
