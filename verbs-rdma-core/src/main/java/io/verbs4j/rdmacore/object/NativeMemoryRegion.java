/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;

/** A memory region of a native device. A post whose inline data lies in it pins it. */
public final class NativeMemoryRegion extends MemoryRegion {
    /** The {@code struct ibv_mr}. */
    public final IbvMr ibv;

    /** Creates the handle of a {@code struct ibv_mr}. */
    public NativeMemoryRegion(ProtectionDomain pd, long addr, long length, int access, IbvMr ibv) {
        super(pd, addr, length, access, ibv.lkey(), ibv.rkey());
        this.ibv = ibv;
        ibv.tellChanges(this::changed);
    }

    private void changed(ProtectionDomain pd, long addr, long length, int access) {
        update(pd, addr, length, access, ibv.lkey(), ibv.rkey());
    }
}
