/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.MemoryWindow;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;

/** The program's handle of a memory window. */
public final class RxeMemoryWindow extends MemoryWindow {
    /** The window if it is of type 1; otherwise null. */
    public final RxeMw mw;

    /** The window if it is of type 2; otherwise null. */
    public final QpWindow qpWindow;

    /** Creates an unbound type 1 window and its handle; it has no key yet. */
    public RxeMemoryWindow(MemoryKeys keys, ProtectionDomain pd) {
        super(pd, MwType.TYPE_1, 0);
        mw = new RxeMw(keys, pd, this::updateRkey);
        qpWindow = null;
    }

    /**
     * Creates a free type 2 window and its handle; its first key stands for nothing.
     *
     * @param byQpAlone whether it is of type 2A, which queue pairs of other domains may bind
     */
    public RxeMemoryWindow(MemoryKeys keys, ProtectionDomain pd, boolean byQpAlone) {
        super(pd, MwType.TYPE_2, 0);
        mw = null;
        qpWindow = new QpWindow(keys, pd, byQpAlone, this::updateRkey);
    }
}
