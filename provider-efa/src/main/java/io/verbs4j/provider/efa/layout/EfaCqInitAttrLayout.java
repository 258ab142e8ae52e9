/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct efadv_cq_init_attr}: what a completion queue is made of beyond the verbs.
 *
 * <pre>
 * 0 comp_mask(8)  8 wc_flags(8)  16 flags(8)  24 ext_mem_dmabuf.buffer(8)  32 ext_mem_dmabuf.length(8)
 * 40 ext_mem_dmabuf.offset(8)  48 ext_mem_dmabuf.fd(4)    56 in all
 * in all, by release: 16 from 43, 56 from 59
 * </pre>
 */
@CStruct(value = "struct efadv_cq_init_attr", header = "infiniband/efadv.h", since = 43)
public final class EfaCqInitAttrLayout {
    @CSize(size = 16)
    @CSize(since = 59, size = 56)
    public static final int SIZEOF = 56;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 0;

    @CField(value = "wc_flags", size = 8)
    public static final int WC_FLAGS = 8;

    @CField(value = "flags", size = 8, since = 59)
    public static final int FLAGS = 16;

    @CField(value = "ext_mem_dmabuf.buffer", size = 8, since = 59)
    public static final int EXT_MEM_DMABUF_BUFFER = 24;

    @CField(value = "ext_mem_dmabuf.length", size = 8, since = 59)
    public static final int EXT_MEM_DMABUF_LENGTH = 32;

    @CField(value = "ext_mem_dmabuf.offset", size = 8, since = 59)
    public static final int EXT_MEM_DMABUF_OFFSET = 40;

    @CField(value = "ext_mem_dmabuf.fd", size = 4, since = 59)
    public static final int EXT_MEM_DMABUF_FD = 48;

    private EfaCqInitAttrLayout() {}
}
