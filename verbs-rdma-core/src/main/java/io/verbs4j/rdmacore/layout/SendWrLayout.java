/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_send_wr}: a send work request. Members at the same offset are a union: the opcode and the
 * transport tell which counts.
 *
 * <pre>
 * 0 wr_id(8)  8 next(8)  16 sg_list(8)  24 num_sge(4)  28 opcode(4)  32 send_flags(4)  36 imm_data(4)
 * 36 invalidate_rkey(4)  40 wr.rdma.remote_addr(8)  48 wr.rdma.rkey(4)  40 wr.atomic.remote_addr(8)
 * 48 wr.atomic.compare_add(8)  56 wr.atomic.swap(8)  64 wr.atomic.rkey(4)  40 wr.ud.ah(8)  48 wr.ud.remote_qpn(4)
 * 52 wr.ud.remote_qkey(4)  72 qp_type.xrc.remote_srqn(4)  80 bind_mw.mw(8)  88 bind_mw.rkey(4)
 * 96 bind_mw.bind_info(32)  80 tso.hdr(8)  88 tso.hdr_sz(2)  90 tso.mss(2)    128 in all
 * </pre>
 */
@CStruct("struct ibv_send_wr")
public final class SendWrLayout {
    @CSize(size = 128)
    public static final int SIZEOF = 128;

    @CField(value = "wr_id", size = 8)
    public static final int WR_ID = 0;

    @CField(value = "next", size = 8)
    public static final int NEXT = 8;

    @CField(value = "sg_list", size = 8)
    public static final int SG_LIST = 16;

    @CField(value = "num_sge", size = 4)
    public static final int NUM_SGE = 24;

    @CField(value = "opcode", size = 4)
    public static final int OPCODE = 28;

    @CField(value = "send_flags", size = 4)
    public static final int SEND_FLAGS = 32;

    @CField(value = "imm_data", size = 4)
    public static final int IMM_DATA = 36;

    @CField(value = "invalidate_rkey", size = 4, since = 15)
    public static final int INVALIDATE_RKEY = 36;

    @CField(value = "wr.rdma.remote_addr", size = 8)
    public static final int WR_RDMA_REMOTE_ADDR = 40;

    @CField(value = "wr.rdma.rkey", size = 4)
    public static final int WR_RDMA_RKEY = 48;

    @CField(value = "wr.atomic.remote_addr", size = 8)
    public static final int WR_ATOMIC_REMOTE_ADDR = 40;

    @CField(value = "wr.atomic.compare_add", size = 8)
    public static final int WR_ATOMIC_COMPARE_ADD = 48;

    @CField(value = "wr.atomic.swap", size = 8)
    public static final int WR_ATOMIC_SWAP = 56;

    @CField(value = "wr.atomic.rkey", size = 4)
    public static final int WR_ATOMIC_RKEY = 64;

    @CField(value = "wr.ud.ah", size = 8)
    public static final int WR_UD_AH = 40;

    @CField(value = "wr.ud.remote_qpn", size = 4)
    public static final int WR_UD_REMOTE_QPN = 48;

    @CField(value = "wr.ud.remote_qkey", size = 4)
    public static final int WR_UD_REMOTE_QKEY = 52;

    @CField(value = "qp_type.xrc.remote_srqn", size = 4)
    public static final int QP_TYPE_XRC_REMOTE_SRQN = 72;

    @CField(value = "bind_mw.mw", size = 8)
    public static final int BIND_MW_MW = 80;

    @CField(value = "bind_mw.rkey", size = 4)
    public static final int BIND_MW_RKEY = 88;

    @CField(value = "bind_mw.bind_info", size = 32)
    public static final int BIND_MW_BIND_INFO = 96;

    @CField(value = "tso.hdr", size = 8)
    public static final int TSO_HDR = 80;

    @CField(value = "tso.hdr_sz", size = 2)
    public static final int TSO_HDR_SZ = 88;

    @CField(value = "tso.mss", size = 2)
    public static final int TSO_MSS = 90;

    private SendWrLayout() {}
}
