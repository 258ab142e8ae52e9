/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_ops_wr}: a change of a matching list.
 *
 * <pre>
 * 0 wr_id(8)  8 next(8)  16 opcode(4)  20 flags(4)  24 tm.unexpected_cnt(4)  28 tm.handle(4)  32 tm.add.recv_wr_id(8)
 * 40 tm.add.sg_list(8)  48 tm.add.num_sge(4)  56 tm.add.tag(8)  64 tm.add.mask(8)    72 in all
 * </pre>
 */
@CStruct(value = "struct ibv_ops_wr", since = 16)
public final class OpsWrLayout {
    @CSize(since = 16, size = 72)
    public static final int SIZEOF = 72;

    @CField(value = "wr_id", size = 8, since = 16)
    public static final int WR_ID = 0;

    @CField(value = "next", size = 8, since = 16)
    public static final int NEXT = 8;

    @CField(value = "opcode", size = 4, since = 16)
    public static final int OPCODE = 16;

    @CField(value = "flags", size = 4, since = 16)
    public static final int FLAGS = 20;

    @CField(value = "tm.unexpected_cnt", size = 4, since = 16)
    public static final int TM_UNEXPECTED_CNT = 24;

    @CField(value = "tm.handle", size = 4, since = 16)
    public static final int TM_HANDLE = 28;

    @CField(value = "tm.add.recv_wr_id", size = 8, since = 16)
    public static final int TM_ADD_RECV_WR_ID = 32;

    @CField(value = "tm.add.sg_list", size = 8, since = 16)
    public static final int TM_ADD_SG_LIST = 40;

    @CField(value = "tm.add.num_sge", size = 4, since = 16)
    public static final int TM_ADD_NUM_SGE = 48;

    @CField(value = "tm.add.tag", size = 8, since = 16)
    public static final int TM_ADD_TAG = 56;

    @CField(value = "tm.add.mask", size = 8, since = 16)
    public static final int TM_ADD_MASK = 64;

    private OpsWrLayout() {}
}
