/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.MemoryWindow;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.rdmacore.layout.MwLayout;
import io.verbs4j.rdmacore.memory.NativeMemory;
import io.verbs4j.rdmacore.memory.Pin;

/** A memory window of a native device. A bind pins it. */
public final class NativeMemoryWindow extends MemoryWindow {
    private final long address;
    private final Pin pin = new Pin();

    /** Makes the handle of a {@code struct ibv_mw}. */
    public NativeMemoryWindow(ProtectionDomain pd, int type, long address) {
        super(pd, type, NativeMemory.getInt(address + MwLayout.RKEY));
        this.address = address;
    }

    /** The {@code struct ibv_mw}; to be used while pinned. */
    public long address() {
        return address;
    }

    /** Keeps it from being freed. */
    public Pin pin() {
        return pin;
    }

    /** Takes over the key that a bind in Java has made, for the driver too. */
    public void bound(int newRkey) {
        NativeMemory.putInt(address + MwLayout.RKEY, newRkey);
        updateRkey(newRkey);
    }

    /** Takes over the key that the driver's bind has made. */
    void bound() {
        updateRkey(NativeMemory.getInt(address + MwLayout.RKEY));
    }
}
