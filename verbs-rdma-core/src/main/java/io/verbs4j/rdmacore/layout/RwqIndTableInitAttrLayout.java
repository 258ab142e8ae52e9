/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_rwq_ind_table_init_attr}: what a table of work queues is made of.
 *
 * <pre>
 * 0 log_ind_tbl_size(4)  8 ind_tbl(8)  16 comp_mask(4)    24 in all
 * </pre>
 */
@CStruct("struct ibv_rwq_ind_table_init_attr")
public final class RwqIndTableInitAttrLayout {
    @CSize(size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "log_ind_tbl_size", size = 4)
    public static final int LOG_IND_TBL_SIZE = 0;

    @CField(value = "ind_tbl", size = 8)
    public static final int IND_TBL = 8;

    @CField(value = "comp_mask", size = 4)
    public static final int COMP_MASK = 16;

    private RwqIndTableInitAttrLayout() {}
}
