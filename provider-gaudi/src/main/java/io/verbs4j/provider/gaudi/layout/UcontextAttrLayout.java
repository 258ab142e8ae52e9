/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct hbldv_ucontext_attr}: how a device is opened.
 *
 * <pre>
 * 0 ports_mask(8)  8 core_fd(4)    16 in all
 * </pre>
 */
@CStruct(value = "struct hbldv_ucontext_attr", header = "infiniband/hbldv.h")
public final class UcontextAttrLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "ports_mask", size = 8)
    public static final int PORTS_MASK = 0;

    @CField(value = "core_fd", size = 4)
    public static final int CORE_FD = 8;

    private UcontextAttrLayout() {}
}
