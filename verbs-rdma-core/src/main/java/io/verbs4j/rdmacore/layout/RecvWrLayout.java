/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_recv_wr}: a receive work request.
 *
 * <pre>
 * 0 wr_id(8)  8 next(8)  16 sg_list(8)  24 num_sge(4)    32 in all
 * </pre>
 */
@CStruct("struct ibv_recv_wr")
public final class RecvWrLayout {
    @CSize(size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "wr_id", size = 8)
    public static final int WR_ID = 0;

    @CField(value = "next", size = 8)
    public static final int NEXT = 8;

    @CField(value = "sg_list", size = 8)
    public static final int SG_LIST = 16;

    @CField(value = "num_sge", size = 4)
    public static final int NUM_SGE = 24;

    private RecvWrLayout() {}
}
