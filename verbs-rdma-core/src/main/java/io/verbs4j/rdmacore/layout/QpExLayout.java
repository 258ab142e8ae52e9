/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_qp_ex}: a queue pair with functions that build work requests, which begins as a {@link QpLayout}. What follows lies
 * further back by as much where that is larger. What is newer than the loaded library is somebody else's memory there.
 *
 * <pre>
 * 160 comp_mask(8)  168 wr_id(8)  176 wr_flags(4)  184 wr_atomic_cmp_swp(8)  192 wr_atomic_fetch_add(8)
 * 200 wr_bind_mw(8)  208 wr_local_inv(8)  216 wr_rdma_read(8)  224 wr_rdma_write(8)  232 wr_rdma_write_imm(8)
 * 240 wr_send(8)  248 wr_send_imm(8)  256 wr_send_inv(8)  264 wr_send_tso(8)  272 wr_set_ud_addr(8)
 * 280 wr_set_xrc_srqn(8)  288 wr_set_inline_data(8)  296 wr_set_inline_data_list(8)  304 wr_set_sge(8)
 * 312 wr_set_sge_list(8)  320 wr_start(8)  328 wr_complete(8)  336 wr_abort(8)  344 wr_atomic_write(8)@44
 * 352 wr_flush(8)@45    360 in all, 368 on aarch64
 * in all, by release: 344 from 24, 352 from 44, 360 from 45
 * </pre>
 */
@CStruct(value = "struct ibv_qp_ex", since = 24)
public final class QpExLayout {
    @CIf("!defined(__aarch64__)")
    @CSize(since = 24, size = 344)
    @CSize(since = 44, size = 352)
    @CSize(since = 45, size = 360)
    public static final int SIZEOF = 360;

    @CIf("defined(__aarch64__)")
    @CSize(since = 24, size = 352)
    @CSize(since = 44, size = 360)
    @CSize(since = 45, size = 368)
    public static final int SIZEOF_AARCH64 = 368;

    @CIf("!defined(__aarch64__)")
    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 160;

    @CIf("defined(__aarch64__)")
    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK_AARCH64 = 168;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_id", size = 8)
    public static final int WR_ID = 168;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_flags", size = 4)
    public static final int WR_FLAGS = 176;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_atomic_cmp_swp", size = 8)
    public static final int WR_ATOMIC_CMP_SWP = 184;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_atomic_fetch_add", size = 8)
    public static final int WR_ATOMIC_FETCH_ADD = 192;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_bind_mw", size = 8)
    public static final int WR_BIND_MW = 200;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_local_inv", size = 8)
    public static final int WR_LOCAL_INV = 208;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_rdma_read", size = 8)
    public static final int WR_RDMA_READ = 216;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_rdma_write", size = 8)
    public static final int WR_RDMA_WRITE = 224;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_rdma_write_imm", size = 8)
    public static final int WR_RDMA_WRITE_IMM = 232;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_send", size = 8)
    public static final int WR_SEND = 240;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_send_imm", size = 8)
    public static final int WR_SEND_IMM = 248;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_send_inv", size = 8)
    public static final int WR_SEND_INV = 256;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_send_tso", size = 8)
    public static final int WR_SEND_TSO = 264;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_set_ud_addr", size = 8)
    public static final int WR_SET_UD_ADDR = 272;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_set_xrc_srqn", size = 8)
    public static final int WR_SET_XRC_SRQN = 280;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_set_inline_data", size = 8)
    public static final int WR_SET_INLINE_DATA = 288;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_set_inline_data_list", size = 8)
    public static final int WR_SET_INLINE_DATA_LIST = 296;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_set_sge", size = 8)
    public static final int WR_SET_SGE = 304;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_set_sge_list", size = 8)
    public static final int WR_SET_SGE_LIST = 312;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_start", size = 8)
    public static final int WR_START = 320;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_complete", size = 8)
    public static final int WR_COMPLETE = 328;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_abort", size = 8)
    public static final int WR_ABORT = 336;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_atomic_write", size = 8, since = 44)
    public static final int WR_ATOMIC_WRITE = 344;

    @CIf("!defined(__aarch64__)")
    @CField(value = "wr_flush", size = 8, since = 45)
    public static final int WR_FLUSH = 352;

    private QpExLayout() {}
}
