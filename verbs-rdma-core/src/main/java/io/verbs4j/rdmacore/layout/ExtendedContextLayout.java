/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct verbs_context}: the verbs that were added after {@code struct ibv_context} was full. It grows at its
 * front, so offsets are from the {@code struct ibv_context} at its end, and negative.
 *
 * <pre>
 * -368 free_buf@64  -360 alloc_buf@64  -352 dm_export_dmabuf_fd@62  -344 reg_mr_ex@59  -336 dealloc_dmah@59
 * -328 alloc_dmah@59  -320 query_port  -312 advise_mr  -304 alloc_null_mr  -296 read_counters
 * -288 attach_counters_point_flow  -280 create_counters  -272 destroy_counters  -264 reg_dm_mr  -256 alloc_dm
 * -248 free_dm  -240 modify_flow_action_esp  -232 destroy_flow_action  -224 create_flow_action_esp
 * -216 modify_qp_rate_limit  -208 alloc_parent_domain  -200 dealloc_td  -192 alloc_td  -184 modify_cq
 * -176 post_srq_ops  -168 destroy_rwq_ind_table  -160 create_rwq_ind_table  -152 destroy_wq  -144 modify_wq
 * -136 create_wq  -128 query_rt_values  -120 create_cq_ex  -112 priv  -104 query_device_ex  -96 ibv_destroy_flow
 * -88 ABI_placeholder2  -80 ibv_create_flow  -72 ABI_placeholder1  -64 open_qp  -56 create_qp_ex  -48 get_srq_num
 * -40 create_srq_ex  -32 open_xrcd  -24 close_xrcd  -16 _ABI_placeholder3  -8 sz    696 in all, 704 on aarch64
 * in all, by release: 496 from 12, 512 from 16, 536 from 17, 592 from 18, 624 from 19, 632 from 20, 648 from 22,
 * 672 from 59, 680 from 62, 696 from 64
 * </pre>
 */
@CStruct("struct verbs_context")
public final class ExtendedContextLayout {
    @CIf("!defined(__aarch64__)")
    @CSize(size = 496)
    @CSize(since = 16, size = 512)
    @CSize(since = 17, size = 536)
    @CSize(since = 18, size = 592)
    @CSize(since = 19, size = 624)
    @CSize(since = 20, size = 632)
    @CSize(since = 22, size = 648)
    @CSize(since = 59, size = 672)
    @CSize(since = 62, size = 680)
    @CSize(since = 64, size = 696)
    public static final int SIZEOF = 696;

    @CIf("defined(__aarch64__)")
    @CSize(size = 504)
    @CSize(since = 16, size = 520)
    @CSize(since = 17, size = 544)
    @CSize(since = 18, size = 600)
    @CSize(since = 19, size = 632)
    @CSize(since = 20, size = 640)
    @CSize(since = 22, size = 656)
    @CSize(since = 59, size = 680)
    @CSize(since = 62, size = 688)
    @CSize(since = 64, size = 704)
    public static final int SIZEOF_AARCH64 = 704;

    @CField(value = "free_buf", size = 8, since = 64)
    public static final int FREE_BUF = -368;

    @CField(value = "alloc_buf", size = 8, since = 64)
    public static final int ALLOC_BUF = -360;

    @CField(value = "dm_export_dmabuf_fd", size = 8, since = 62)
    public static final int DM_EXPORT_DMABUF_FD = -352;

    @CField(value = "reg_mr_ex", size = 8, since = 59)
    public static final int REG_MR_EX = -344;

    @CField(value = "dealloc_dmah", size = 8, since = 59)
    public static final int DEALLOC_DMAH = -336;

    @CField(value = "alloc_dmah", size = 8, since = 59)
    public static final int ALLOC_DMAH = -328;

    @CField(value = "query_port", size = 8, since = 22)
    public static final int QUERY_PORT = -320;

    @CField(value = "advise_mr", size = 8, since = 22)
    public static final int ADVISE_MR = -312;

    @CField(value = "alloc_null_mr", size = 8, since = 20)
    public static final int ALLOC_NULL_MR = -304;

    @CField(value = "read_counters", size = 8, since = 19)
    public static final int READ_COUNTERS = -296;

    @CField(value = "attach_counters_point_flow", size = 8, since = 19)
    public static final int ATTACH_COUNTERS_POINT_FLOW = -288;

    @CField(value = "create_counters", size = 8, since = 19)
    public static final int CREATE_COUNTERS = -280;

    @CField(value = "destroy_counters", size = 8, since = 19)
    public static final int DESTROY_COUNTERS = -272;

    @CField(value = "reg_dm_mr", size = 8, since = 18)
    public static final int REG_DM_MR = -264;

    @CField(value = "alloc_dm", size = 8, since = 18)
    public static final int ALLOC_DM = -256;

    @CField(value = "free_dm", size = 8, since = 18)
    public static final int FREE_DM = -248;

    @CField(value = "modify_flow_action_esp", size = 8, since = 18)
    public static final int MODIFY_FLOW_ACTION_ESP = -240;

    @CField(value = "destroy_flow_action", size = 8, since = 18)
    public static final int DESTROY_FLOW_ACTION = -232;

    @CField(value = "create_flow_action_esp", size = 8, since = 18)
    public static final int CREATE_FLOW_ACTION_ESP = -224;

    @CField(value = "modify_qp_rate_limit", size = 8, since = 18)
    public static final int MODIFY_QP_RATE_LIMIT = -216;

    @CField(value = "alloc_parent_domain", size = 8, since = 17)
    public static final int ALLOC_PARENT_DOMAIN = -208;

    @CField(value = "dealloc_td", size = 8, since = 17)
    public static final int DEALLOC_TD = -200;

    @CField(value = "alloc_td", size = 8, since = 17)
    public static final int ALLOC_TD = -192;

    @CField(value = "modify_cq", size = 8, since = 16)
    public static final int MODIFY_CQ = -184;

    @CField(value = "post_srq_ops", size = 8, since = 16)
    public static final int POST_SRQ_OPS = -176;

    @CField(value = "destroy_rwq_ind_table", size = 8)
    public static final int DESTROY_RWQ_IND_TABLE = -168;

    @CField(value = "create_rwq_ind_table", size = 8)
    public static final int CREATE_RWQ_IND_TABLE = -160;

    @CField(value = "destroy_wq", size = 8)
    public static final int DESTROY_WQ = -152;

    @CField(value = "modify_wq", size = 8)
    public static final int MODIFY_WQ = -144;

    @CField(value = "create_wq", size = 8)
    public static final int CREATE_WQ = -136;

    @CField(value = "query_rt_values", size = 8)
    public static final int QUERY_RT_VALUES = -128;

    @CField(value = "create_cq_ex", size = 8)
    public static final int CREATE_CQ_EX = -120;

    @CField(value = "priv", size = 8)
    public static final int PRIV = -112;

    @CField(value = "query_device_ex", size = 8)
    public static final int QUERY_DEVICE_EX = -104;

    @CField(value = "ibv_destroy_flow", size = 8)
    public static final int IBV_DESTROY_FLOW = -96;

    @CField(value = "ABI_placeholder2", size = 8)
    public static final int ABI_PLACEHOLDER2 = -88;

    @CField(value = "ibv_create_flow", size = 8)
    public static final int IBV_CREATE_FLOW = -80;

    @CField(value = "ABI_placeholder1", size = 8)
    public static final int ABI_PLACEHOLDER1 = -72;

    @CField(value = "open_qp", size = 8)
    public static final int OPEN_QP = -64;

    @CField(value = "create_qp_ex", size = 8)
    public static final int CREATE_QP_EX = -56;

    @CField(value = "get_srq_num", size = 8)
    public static final int GET_SRQ_NUM = -48;

    @CField(value = "create_srq_ex", size = 8)
    public static final int CREATE_SRQ_EX = -40;

    @CField(value = "open_xrcd", size = 8)
    public static final int OPEN_XRCD = -32;

    @CField(value = "close_xrcd", size = 8)
    public static final int CLOSE_XRCD = -24;

    @CField(value = "_ABI_placeholder3", size = 8, since = 17)
    public static final int ABI_PLACEHOLDER3 = -16;

    @CField(value = "sz", size = 8)
    public static final int SZ = -8;

    private ExtendedContextLayout() {}
}
