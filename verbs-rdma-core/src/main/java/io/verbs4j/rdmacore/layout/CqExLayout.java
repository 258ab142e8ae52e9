/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_cq_ex}: an extended completion queue, which begins as a {@link CqLayout}. What follows lies further back by as much
 * where that is larger.
 *
 * <pre>
 * 128 comp_mask(4) 132 status(4) 136 wr_id(8) 144 start_poll(8) 152 next_poll(8) 160 end_poll(8) 168 read_opcode(8)
 * 176 read_vendor_err(8) 184 read_byte_len(8) 192 read_imm_data(8) 200 read_qp_num(8) 208 read_src_qp(8)
 * 216 read_wc_flags(8) 224 read_slid(8) 232 read_sl(8) 240 read_dlid_path_bits(8) 248 read_completion_ts(8)
 * 256 read_cvlan(8)@14 264 read_flow_tag(8)@14 272 read_tm_info(8)@16 280 read_completion_wallclock_ns(8)@17    288 in all, 296 on aarch64
 * in all, by release: 256 from 12, 272 from 14, 280 from 16, 288 from 17
 * </pre>
 */
@CStruct("struct ibv_cq_ex")
public final class CqExLayout {
    @CIf("!defined(__aarch64__)")
    @CSize(size = 256)
    @CSize(since = 14, size = 272)
    @CSize(since = 16, size = 280)
    @CSize(since = 17, size = 288)
    public static final int SIZEOF = 288;

    @CIf("defined(__aarch64__)")
    @CSize(size = 264)
    @CSize(since = 14, size = 280)
    @CSize(since = 16, size = 288)
    @CSize(since = 17, size = 296)
    public static final int SIZEOF_AARCH64 = 296;

    @CIf("!defined(__aarch64__)")
    @CField(value = "comp_mask", size = 4)
    public static final int COMP_MASK = 128;

    @CIf("!defined(__aarch64__)")
    @CField(value = "status", size = 4)
    public static final int STATUS = 132;

    @CIf("defined(__aarch64__)")
    @CField(value = "status", size = 4)
    public static final int STATUS_AARCH64 = 140;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_id", size = 8)
    public static final int WR_ID = 136;

    @CIf("!defined(__aarch64__)")
    @CField(value = "start_poll", size = 8)
    public static final int START_POLL = 144;

    @CIf("!defined(__aarch64__)")
    @CField(value = "next_poll", size = 8)
    public static final int NEXT_POLL = 152;

    @CIf("!defined(__aarch64__)")
    @CField(value = "end_poll", size = 8)
    public static final int END_POLL = 160;

    @CIf("!defined(__aarch64__)")
    @CField(value = "read_opcode", size = 8)
    public static final int READ_OPCODE = 168;

    @CIf("!defined(__aarch64__)")
    @CField(value = "read_vendor_err", size = 8)
    public static final int READ_VENDOR_ERR = 176;

    @CIf("!defined(__aarch64__)")
    @CField(value = "read_byte_len", size = 8)
    public static final int READ_BYTE_LEN = 184;

    @CIf("!defined(__aarch64__)")
    @CField(value = "read_imm_data", size = 8)
    public static final int READ_IMM_DATA = 192;

    @CIf("!defined(__aarch64__)")
    @CField(value = "read_qp_num", size = 8)
    public static final int READ_QP_NUM = 200;

    @CIf("!defined(__aarch64__)")
    @CField(value = "read_src_qp", size = 8)
    public static final int READ_SRC_QP = 208;

    @CIf("!defined(__aarch64__)")
    @CField(value = "read_wc_flags", size = 8)
    public static final int READ_WC_FLAGS = 216;

    @CIf("!defined(__aarch64__)")
    @CField(value = "read_slid", size = 8)
    public static final int READ_SLID = 224;

    @CIf("!defined(__aarch64__)")
    @CField(value = "read_sl", size = 8)
    public static final int READ_SL = 232;

    @CIf("!defined(__aarch64__)")
    @CField(value = "read_dlid_path_bits", size = 8)
    public static final int READ_DLID_PATH_BITS = 240;

    @CIf("!defined(__aarch64__)")
    @CField(value = "read_completion_ts", size = 8)
    public static final int READ_COMPLETION_TS = 248;

    @CIf("!defined(__aarch64__)")
    @CField(value = "read_cvlan", size = 8, since = 14)
    public static final int READ_CVLAN = 256;

    @CIf("!defined(__aarch64__)")
    @CField(value = "read_flow_tag", size = 8, since = 14)
    public static final int READ_FLOW_TAG = 264;

    @CIf("!defined(__aarch64__)")
    @CField(value = "read_tm_info", size = 8, since = 16)
    public static final int READ_TM_INFO = 272;

    @CIf("!defined(__aarch64__)")
    @CField(value = "read_completion_wallclock_ns", size = 8, since = 17)
    public static final int READ_COMPLETION_WALLCLOCK_NS = 280;

    @CIf("defined(__aarch64__)")
    @CField(value = "read_completion_wallclock_ns", size = 8, since = 17)
    public static final int READ_COMPLETION_WALLCLOCK_NS_AARCH64 = 288;

    private CqExLayout() {}
}
