/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct hbldv_encap}: an encapsulation.
 *
 * <pre>
 * 0 encap_num(4)    4 in all
 * </pre>
 */
@CStruct(value = "struct hbldv_encap", header = "infiniband/hbldv.h")
public final class EncapLayout {
    @CSize(size = 4)
    public static final int SIZEOF = 4;

    @CField(value = "encap_num", size = 4)
    public static final int ENCAP_NUM = 0;

    private EncapLayout() {}
}
