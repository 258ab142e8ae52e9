/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_qp_attr}: the attributes of a queue pair; {@code cap} is a {@link QpCapLayout}, the paths are
 * {@link AhAttrLayout}s.
 *
 * <pre>
 * 0 qp_state(4)  4 cur_qp_state(4)  8 path_mtu(4)  12 path_mig_state(4)  16 qkey(4)  20 rq_psn(4)  24 sq_psn(4)
 * 28 dest_qp_num(4)  32 qp_access_flags(4)  36 cap(20)  56 ah_attr(32)  88 alt_ah_attr(32)  120 pkey_index(2)
 * 122 alt_pkey_index(2)  124 en_sqd_async_notify(1)  125 sq_draining(1)  126 max_rd_atomic(1)
 * 127 max_dest_rd_atomic(1)  128 min_rnr_timer(1)  129 port_num(1)  130 timeout(1)  131 retry_cnt(1)
 * 132 rnr_retry(1)  133 alt_port_num(1)  134 alt_timeout(1)  136 rate_limit(4)    144 in all
 * in all, by release: 136 from 12, 144 from 13
 * </pre>
 */
@CStruct("struct ibv_qp_attr")
public final class QpAttrLayout {
    @CSize(size = 136)
    @CSize(since = 13, size = 144)
    public static final int SIZEOF = 144;

    @CField(value = "qp_state", size = 4)
    public static final int QP_STATE = 0;

    @CField(value = "cur_qp_state", size = 4)
    public static final int CUR_QP_STATE = 4;

    @CField(value = "path_mtu", size = 4)
    public static final int PATH_MTU = 8;

    @CField(value = "path_mig_state", size = 4)
    public static final int PATH_MIG_STATE = 12;

    @CField(value = "qkey", size = 4)
    public static final int QKEY = 16;

    @CField(value = "rq_psn", size = 4)
    public static final int RQ_PSN = 20;

    @CField(value = "sq_psn", size = 4)
    public static final int SQ_PSN = 24;

    @CField(value = "dest_qp_num", size = 4)
    public static final int DEST_QP_NUM = 28;

    @CField(value = "qp_access_flags", size = 4)
    public static final int QP_ACCESS_FLAGS = 32;

    @CField(value = "cap", size = 20)
    public static final int CAP = 36;

    @CField(value = "ah_attr", size = 32)
    public static final int AH_ATTR = 56;

    @CField(value = "alt_ah_attr", size = 32)
    public static final int ALT_AH_ATTR = 88;

    @CField(value = "pkey_index", size = 2)
    public static final int PKEY_INDEX = 120;

    @CField(value = "alt_pkey_index", size = 2)
    public static final int ALT_PKEY_INDEX = 122;

    @CField(value = "en_sqd_async_notify", size = 1)
    public static final int EN_SQD_ASYNC_NOTIFY = 124;

    @CField(value = "sq_draining", size = 1)
    public static final int SQ_DRAINING = 125;

    @CField(value = "max_rd_atomic", size = 1)
    public static final int MAX_RD_ATOMIC = 126;

    @CField(value = "max_dest_rd_atomic", size = 1)
    public static final int MAX_DEST_RD_ATOMIC = 127;

    @CField(value = "min_rnr_timer", size = 1)
    public static final int MIN_RNR_TIMER = 128;

    @CField(value = "port_num", size = 1)
    public static final int PORT_NUM = 129;

    @CField(value = "timeout", size = 1)
    public static final int TIMEOUT = 130;

    @CField(value = "retry_cnt", size = 1)
    public static final int RETRY_CNT = 131;

    @CField(value = "rnr_retry", size = 1)
    public static final int RNR_RETRY = 132;

    @CField(value = "alt_port_num", size = 1)
    public static final int ALT_PORT_NUM = 133;

    @CField(value = "alt_timeout", size = 1)
    public static final int ALT_TIMEOUT = 134;

    @CField(value = "rate_limit", size = 4, since = 13)
    public static final int RATE_LIMIT = 136;

    private QpAttrLayout() {}
}
