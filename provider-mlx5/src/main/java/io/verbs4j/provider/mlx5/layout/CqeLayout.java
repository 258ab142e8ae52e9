/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5_cqe64}: a completion as the device writes it, in network order.
 *
 * <pre>
 *  0 data of a small message, or what follows  17 ml_path(1)  22 slid(2)  24 flags_rqpn(4)
 * 28 hds_ip_ext(1)  29 l4_hdr_type_etc(1)  30 vlan_info(2)
 * 32 srqn_uidx(4)  36 imm_inval_pkey(4)  44 byte_cnt(4)  48 timestamp(8)  56 sop_drop_qpn(4)  60 wqe_counter(2)  63 op_own(1)
 * 64 in all
 * </pre>
 */
@CStruct(value = "struct mlx5_cqe64", header = "infiniband/mlx5dv.h")
public final class CqeLayout {
    @CSize(size = 64)
    public static final int SIZEOF = 64;

    @CField(value = "ml_path", size = 1)
    public static final int ML_PATH = 17;

    @CField(value = "slid", size = 2)
    public static final int SLID = 22;

    @CField(value = "flags_rqpn", size = 4)
    public static final int FLAGS_RQPN = 24;

    @CField(value = "hds_ip_ext", size = 1)
    public static final int HDS_IP_EXT = 28;

    @CField(value = "l4_hdr_type_etc", size = 1)
    public static final int L4_HDR_TYPE_ETC = 29;

    @CField(value = "vlan_info", size = 2)
    public static final int VLAN_INFO = 30;

    @CField(value = "srqn_uidx", size = 4)
    public static final int SRQN_UIDX = 32;

    @CField(value = "imm_inval_pkey", size = 4)
    public static final int IMM_INVAL_PKEY = 36;

    @CField(value = "byte_cnt", size = 4)
    public static final int BYTE_CNT = 44;

    @CField(value = "timestamp", size = 8)
    public static final int TIMESTAMP = 48;

    @CField(value = "sop_drop_qpn", size = 4)
    public static final int SOP_DROP_QPN = 56;

    @CField(value = "wqe_counter", size = 2)
    public static final int WQE_COUNTER = 60;

    @CField(value = "op_own", size = 1)
    public static final int OP_OWN = 63;

    private CqeLayout() {}
}
