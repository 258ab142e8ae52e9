/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_dmah_init_attr}: hints for accesses over PCIe.
 *
 * <pre>
 * 0 comp_mask(4)  4 cpu_id(4)  8 ph(1)  9 tph_mem_type(1)    12 in all
 * </pre>
 */
@CStruct(value = "struct ibv_dmah_init_attr", since = 59)
public final class DmahInitAttrLayout {
    @CSize(since = 59, size = 12)
    public static final int SIZEOF = 12;

    @CField(value = "comp_mask", size = 4, since = 59)
    public static final int COMP_MASK = 0;

    @CField(value = "cpu_id", size = 4, since = 59)
    public static final int CPU_ID = 4;

    @CField(value = "ph", size = 1, since = 59)
    public static final int PH = 8;

    @CField(value = "tph_mem_type", size = 1, since = 59)
    public static final int TPH_MEM_TYPE = 9;

    private DmahInitAttrLayout() {}
}
