/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_qp_init_attr_ex}: what a queue pair is made of, extended. The same as {@link QpInitAttrLayout} up
 * to {@code sq_sig_all}.
 *
 * <pre>
 * 0 qp_context(8)  8 send_cq(8)  16 recv_cq(8)  24 srq(8)  32 cap(20)  52 qp_type(4)  56 sq_sig_all(4)
 * 60 comp_mask(4)  64 pd(8)  72 xrcd(8)  80 create_flags(4)  84 max_tso_header(2)  88 rwq_ind_tbl(8)
 * 96 rx_hash_conf(24)  96 rx_hash_conf.rx_hash_function(1)  97 rx_hash_conf.rx_hash_key_len(1)
 * 104 rx_hash_conf.rx_hash_key(8)  112 rx_hash_conf.rx_hash_fields_mask(8)  120 source_qpn(4)
 * 128 send_ops_flags(8)    136 in all
 * in all, by release: 120 from 12, 128 from 15, 136 from 24
 * </pre>
 */
@CStruct("struct ibv_qp_init_attr_ex")
public final class QpInitAttrExLayout {
    @CSize(size = 120)
    @CSize(since = 15, size = 128)
    @CSize(since = 24, size = 136)
    public static final int SIZEOF = 136;

    @CField(value = "qp_context", size = 8)
    public static final int QP_CONTEXT = 0;

    @CField(value = "send_cq", size = 8)
    public static final int SEND_CQ = 8;

    @CField(value = "recv_cq", size = 8)
    public static final int RECV_CQ = 16;

    @CField(value = "srq", size = 8)
    public static final int SRQ = 24;

    @CField(value = "cap", size = 20)
    public static final int CAP = 32;

    @CField(value = "qp_type", size = 4)
    public static final int QP_TYPE = 52;

    @CField(value = "sq_sig_all", size = 4)
    public static final int SQ_SIG_ALL = 56;

    @CField(value = "comp_mask", size = 4)
    public static final int COMP_MASK = 60;

    @CField(value = "pd", size = 8)
    public static final int PD = 64;

    @CField(value = "xrcd", size = 8)
    public static final int XRCD = 72;

    @CField(value = "create_flags", size = 4)
    public static final int CREATE_FLAGS = 80;

    @CField(value = "max_tso_header", size = 2)
    public static final int MAX_TSO_HEADER = 84;

    @CField(value = "rwq_ind_tbl", size = 8)
    public static final int RWQ_IND_TBL = 88;

    @CField(value = "rx_hash_conf", size = 24)
    public static final int RX_HASH_CONF = 96;

    @CField(value = "rx_hash_conf.rx_hash_function", size = 1)
    public static final int RX_HASH_CONF_RX_HASH_FUNCTION = 96;

    @CField(value = "rx_hash_conf.rx_hash_key_len", size = 1)
    public static final int RX_HASH_CONF_RX_HASH_KEY_LEN = 97;

    @CField(value = "rx_hash_conf.rx_hash_key", size = 8)
    public static final int RX_HASH_CONF_RX_HASH_KEY = 104;

    @CField(value = "rx_hash_conf.rx_hash_fields_mask", size = 8)
    public static final int RX_HASH_CONF_RX_HASH_FIELDS_MASK = 112;

    @CField(value = "source_qpn", size = 4, since = 15)
    public static final int SOURCE_QPN = 120;

    @CField(value = "send_ops_flags", size = 8, since = 24)
    public static final int SEND_OPS_FLAGS = 128;

    private QpInitAttrExLayout() {}
}
