/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.MemoryWindow;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;

/** What programs have of a memory window. */
public final class MwHandle extends MemoryWindow {
    /** The window. */
    public final RxeMemoryWindow mw;

    /** Makes a window of type 1, unbound, and its handle; its first key stands for nothing. */
    public MwHandle(MemoryKeys keys, ProtectionDomain pd) {
        super(pd, MwType.TYPE_1, 0);
        mw = new RxeMemoryWindow(keys, pd, this::updateRkey);
    }
}
