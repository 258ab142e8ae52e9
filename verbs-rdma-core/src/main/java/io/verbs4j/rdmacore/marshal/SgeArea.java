/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import io.verbs4j.ScatterGatherElement;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.SgeLayout;

/** Converts scatter/gather elements. */
public final class SgeArea {
    private SgeArea() {}

    /** {@return whether a list has that many elements and a request has room for them} */
    public static boolean fits(ScatterGatherElement[] list, int count, int room) {
        return count == 0 || count > 0 && count <= room && list != null && count <= list.length;
    }

    /** Writes a {@code struct ibv_sge}. */
    public static void put(long at, long addr, int length, int lkey) {
        NativeMemory.putLong(at + SgeLayout.ADDR, addr);
        NativeMemory.putInt(at + SgeLayout.LENGTH, length);
        NativeMemory.putInt(at + SgeLayout.LKEY, lkey);
    }
}
