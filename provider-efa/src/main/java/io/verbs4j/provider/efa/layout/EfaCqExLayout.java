/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct efadv_cq}: the functions that read what completions have beyond the verbs.
 *
 * <pre>
 * 0 comp_mask(8)  8 wc_read_sgid(8)  16 wc_is_unsolicited(8)    24 in all
 * in all, by release: 16 from 43, 24 from 52
 * </pre>
 */
@CStruct(value = "struct efadv_cq", header = "infiniband/efadv.h", since = 43)
public final class EfaCqExLayout {
    @CSize(size = 16)
    @CSize(since = 52, size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 0;

    @CField(value = "wc_read_sgid", size = 8)
    public static final int WC_READ_SGID = 8;

    @CField(value = "wc_is_unsolicited", size = 8, since = 52)
    public static final int WC_IS_UNSOLICITED = 16;

    private EfaCqExLayout() {}
}
