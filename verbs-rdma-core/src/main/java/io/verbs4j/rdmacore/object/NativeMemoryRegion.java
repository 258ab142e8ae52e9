/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.rdmacore.layout.MrLayout;
import io.verbs4j.rdmacore.memory.NativeMemory;
import io.verbs4j.rdmacore.memory.Pin;

/** A memory region of a native device. A post whose inline data lies in it pins it. */
public final class NativeMemoryRegion extends MemoryRegion {
    private final long address;
    private final Pin pin = new Pin();

    /** Makes the handle of a {@code struct ibv_mr}. */
    public NativeMemoryRegion(ProtectionDomain pd, long addr, long length, int access, long address) {
        super(pd, addr, length, access, lkey(address), rkey(address));
        this.address = address;
    }

    private static int lkey(long address) {
        return NativeMemory.getInt(address + MrLayout.LKEY);
    }

    private static int rkey(long address) {
        return NativeMemory.getInt(address + MrLayout.RKEY);
    }

    /** The {@code struct ibv_mr}; to be used while pinned, or by calls that keep the region open. */
    public long address() {
        return address;
    }

    /** Keeps it from being deregistered. */
    public Pin pin() {
        return pin;
    }

    /** Takes over what a reregistration has changed. */
    public void changed(ProtectionDomain pd, long addr, long length, int access) {
        update(pd, addr, length, access, lkey(address), rkey(address));
    }
}
