/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_comp_cntr_init_attr}: what a completion counter counts.
 *
 * <pre>
 * 0 comp_mask(4)  4 type(4)  8 flags(4)    12 in all
 * </pre>
 */
@CStruct(value = "struct ibv_comp_cntr_init_attr", header = "infiniband/verbs.h", since = 65)
public final class CompCntrInitAttrLayout {
    @CSize(size = 12)
    public static final int SIZEOF = 12;

    @CField(value = "comp_mask", size = 4)
    public static final int COMP_MASK = 0;

    @CField(value = "type", size = 4)
    public static final int TYPE = 4;

    @CField(value = "flags", size = 4)
    public static final int FLAGS = 8;

    private CompCntrInitAttrLayout() {}
}
