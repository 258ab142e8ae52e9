/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_rwq_ind_table}: a table of work queues.
 *
 * <pre>
 * 0 context(8)  8 ind_tbl_handle(4)  12 ind_tbl_num(4)  16 comp_mask(4)    24 in all
 * </pre>
 */
@CStruct("struct ibv_rwq_ind_table")
public final class RwqIndTableLayout {
    @CSize(size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "context", size = 8)
    public static final int CONTEXT = 0;

    @CField(value = "ind_tbl_handle", size = 4)
    public static final int IND_TBL_HANDLE = 8;

    @CField(value = "ind_tbl_num", size = 4)
    public static final int IND_TBL_NUM = 12;

    @CField(value = "comp_mask", size = 4)
    public static final int COMP_MASK = 16;

    private RwqIndTableLayout() {}
}
