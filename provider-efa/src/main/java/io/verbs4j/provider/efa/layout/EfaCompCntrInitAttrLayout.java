/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct efadv_comp_cntr_init_attr}: where a completion counter is.
 *
 * <pre>
 * 0 comp_mask(8)  8 flags(4)  16 comp_cntr_ext_mem(32)  48 err_cntr_ext_mem(32)    80 in all
 * </pre>
 */
@CStruct(value = "struct efadv_comp_cntr_init_attr", header = "infiniband/efadv.h", since = 65)
public final class EfaCompCntrInitAttrLayout {
    @CSize(size = 80)
    public static final int SIZEOF = 80;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 0;

    @CField(value = "flags", size = 4)
    public static final int FLAGS = 8;

    @CField(value = "comp_cntr_ext_mem", size = 32)
    public static final int COMP_CNTR_EXT_MEM = 16;

    @CField(value = "err_cntr_ext_mem", size = 32)
    public static final int ERR_CNTR_EXT_MEM = 48;

    private EfaCompCntrInitAttrLayout() {}
}
