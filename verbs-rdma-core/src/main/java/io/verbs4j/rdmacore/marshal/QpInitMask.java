/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.QpInitAttrExLayout;

/** The mask of a {@code struct ibv_qp_init_attr_ex}. */
public final class QpInitMask {
    private QpInitMask() {}

    /**
     * Adds bits to the mask.
     *
     * @param at the struct
     * @param bits {@link io.verbs4j.QpInitAttrMask} bits of the lower half
     */
    public static void add(long at, long bits) {
        int mask = NativeMemory.getInt(at + QpInitAttrExLayout.COMP_MASK);
        NativeMemory.putInt(at + QpInitAttrExLayout.COMP_MASK, mask | (int) bits);
    }
}
