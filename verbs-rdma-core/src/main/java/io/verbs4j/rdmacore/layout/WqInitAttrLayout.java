/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_wq_init_attr}: what a work queue is made of.
 *
 * <pre>
 * 0 wq_context(8)  8 wq_type(4)  12 max_wr(4)  16 max_sge(4)  24 pd(8)  32 cq(8)  40 comp_mask(4)
 * 44 create_flags(4)    48 in all
 * </pre>
 */
@CStruct("struct ibv_wq_init_attr")
public final class WqInitAttrLayout {
    @CSize(size = 48)
    public static final int SIZEOF = 48;

    @CField(value = "wq_context", size = 8)
    public static final int WQ_CONTEXT = 0;

    @CField(value = "wq_type", size = 4)
    public static final int WQ_TYPE = 8;

    @CField(value = "max_wr", size = 4)
    public static final int MAX_WR = 12;

    @CField(value = "max_sge", size = 4)
    public static final int MAX_SGE = 16;

    @CField(value = "pd", size = 8)
    public static final int PD = 24;

    @CField(value = "cq", size = 8)
    public static final int CQ = 32;

    @CField(value = "comp_mask", size = 4)
    public static final int COMP_MASK = 40;

    @CField(value = "create_flags", size = 4)
    public static final int CREATE_FLAGS = 44;

    private WqInitAttrLayout() {}
}
