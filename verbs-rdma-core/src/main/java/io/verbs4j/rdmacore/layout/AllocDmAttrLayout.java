/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_alloc_dm_attr}: how memory on the device is allocated.
 *
 * <pre>
 * 0 length(8)  8 log_align_req(4)  12 comp_mask(4)    16 in all
 * </pre>
 */
@CStruct(value = "struct ibv_alloc_dm_attr", since = 18)
public final class AllocDmAttrLayout {
    @CSize(since = 18, size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "length", size = 8, since = 18)
    public static final int LENGTH = 0;

    @CField(value = "log_align_req", size = 4, since = 18)
    public static final int LOG_ALIGN_REQ = 8;

    @CField(value = "comp_mask", size = 4, since = 18)
    public static final int COMP_MASK = 12;

    private AllocDmAttrLayout() {}
}
