/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Kinds of memory, for PCIe hints: {@link DmahInitAttr#tphMemType()}.
 *
 * <p>Since level 4. Source: {@code enum ibv_tph_mem_type}, {@code ibv_alloc_dmah(3)}.
 */
public final class TphMemType {
    /** Volatile memory. Source: {@code IBV_TPH_MEM_TYPE_VM}, {@code ibv_alloc_dmah(3)}. */
    public static final int VM = 0;

    /** Persistent memory. Source: {@code IBV_TPH_MEM_TYPE_PM}, {@code ibv_alloc_dmah(3)}. */
    public static final int PM = 1;

    private TphMemType() {}

    /**
     * Returns the name of a value.
     *
     * @param value one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
     */
    public static String toString(int value) {
        switch (value) {
            case VM:
                return "VM";
            case PM:
                return "PM";
            default:
                return "unknown (" + value + ")";
        }
    }
}
