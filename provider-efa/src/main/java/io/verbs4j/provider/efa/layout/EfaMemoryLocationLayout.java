/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct efadv_memory_location}: memory of the process, or behind a dma-buf.
 *
 * <pre>
 * 0 ptr(8)  8 dmabuf.offset(8)  16 dmabuf.fd(4)  24 type(1)    32 in all
 * </pre>
 */
@CStruct(value = "struct efadv_memory_location", header = "infiniband/efadv.h", since = 65)
public final class EfaMemoryLocationLayout {
    @CSize(size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "ptr", size = 8)
    public static final int PTR = 0;

    @CField(value = "dmabuf.offset", size = 8)
    public static final int DMABUF_OFFSET = 8;

    @CField(value = "dmabuf.fd", size = 4)
    public static final int DMABUF_FD = 16;

    @CField(value = "type", size = 1)
    public static final int TYPE = 24;

    private EfaMemoryLocationLayout() {}
}
