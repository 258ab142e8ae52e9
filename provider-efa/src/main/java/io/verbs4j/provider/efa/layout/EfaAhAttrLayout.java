/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct efadv_ah_attr}: what work requests name an address handle by.
 *
 * <pre>
 * 0 comp_mask(8)  8 ahn(2)    16 in all
 * </pre>
 */
@CStruct(value = "struct efadv_ah_attr", header = "infiniband/efadv.h", since = 26)
public final class EfaAhAttrLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 0;

    @CField(value = "ahn", size = 2)
    public static final int AHN = 8;

    private EfaAhAttrLayout() {}
}
