/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.MemoryWindow;
import io.verbs4j.ProtectionDomain;

/** A memory window of a native device. A bind pins it. */
public final class NativeMemoryWindow extends MemoryWindow {
    /** The {@code struct ibv_mw}. */
    public final IbvMw ibv;

    /** Creates the handle of a {@code struct ibv_mw}. */
    public NativeMemoryWindow(ProtectionDomain pd, int type, IbvMw ibv) {
        super(pd, type, ibv.rkey());
        this.ibv = ibv;
        ibv.tellKey(this::updateRkey);
    }
}
