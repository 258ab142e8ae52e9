/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_wc}: a work completion.
 *
 * <pre>
 * 0 wr_id(8)  8 status(4)  12 opcode(4)  16 vendor_err(4)  20 byte_len(4)  24 imm_data(4)  24 invalidated_rkey(4)
 * 28 qp_num(4)  32 src_qp(4)  36 wc_flags(4)  40 pkey_index(2)  42 slid(2)  44 sl(1)  45 dlid_path_bits(1)    48 in all
 * </pre>
 */
@CStruct("struct ibv_wc")
public final class WcLayout {
    @CSize(size = 48)
    public static final int SIZEOF = 48;

    @CField(value = "wr_id", size = 8)
    public static final int WR_ID = 0;

    @CField(value = "status", size = 4)
    public static final int STATUS = 8;

    @CField(value = "opcode", size = 4)
    public static final int OPCODE = 12;

    @CField(value = "vendor_err", size = 4)
    public static final int VENDOR_ERR = 16;

    @CField(value = "byte_len", size = 4)
    public static final int BYTE_LEN = 20;

    @CField(value = "imm_data", size = 4)
    public static final int IMM_DATA = 24;

    @CField(value = "invalidated_rkey", size = 4, since = 14)
    public static final int INVALIDATED_RKEY = 24;

    @CField(value = "qp_num", size = 4)
    public static final int QP_NUM = 28;

    @CField(value = "src_qp", size = 4)
    public static final int SRC_QP = 32;

    @CField(value = "wc_flags", size = 4)
    public static final int WC_FLAGS = 36;

    @CField(value = "pkey_index", size = 2)
    public static final int PKEY_INDEX = 40;

    @CField(value = "slid", size = 2)
    public static final int SLID = 42;

    @CField(value = "sl", size = 1)
    public static final int SL = 44;

    @CField(value = "dlid_path_bits", size = 1)
    public static final int DLID_PATH_BITS = 45;

    private WcLayout() {}
}
