/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.MrLayout;

/** A {@code struct ibv_mr}. */
public final class IbvMr extends IbvObject {
    private Changes handle;

    /** Creates the object for a {@code struct ibv_mr}. */
    public IbvMr(long address) {
        super(address);
    }

    /** Receives the changes of a reregistration. */
    interface Changes {
        void take(ProtectionDomain pd, long addr, long length, int access);
    }

    void tellChanges(Changes to) {
        handle = to;
    }

    int lkey() {
        return NativeMemory.getInt(address() + MrLayout.LKEY);
    }

    int rkey() {
        return NativeMemory.getInt(address() + MrLayout.RKEY);
    }

    /** Reports a reregistration to the handle; the new keys are in the struct. */
    public void changed(ProtectionDomain pd, long addr, long length, int access) {
        handle.take(pd, addr, length, access);
    }
}
