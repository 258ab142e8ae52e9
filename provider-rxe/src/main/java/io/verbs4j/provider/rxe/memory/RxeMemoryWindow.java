/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.MemoryWindow;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;

/** A memory window of type 1 of the embedded device. */
public final class RxeMemoryWindow extends MemoryWindow {
    private final MemoryKeys keys;
    private RxeMemoryRegion region;
    private MemoryKey bound;
    private boolean closed;

    /** Makes a window, unbound; its first key stands for nothing. */
    public RxeMemoryWindow(MemoryKeys keys, ProtectionDomain pd) {
        super(pd, MwType.TYPE_1, 0);
        this.keys = keys;
    }

    /**
     * Binds the window to a range of a region, in place of what it was bound to; length 0 unbinds.
     *
     * @return false where the region does not allow it; the window is then as it was
     */
    public synchronized boolean bind(RxeMemoryRegion newRegion, long addr, long length, int access) {
        if (closed) {
            return false;
        }
        MemoryKey newKey = null;
        if (length != 0) {
            newKey = newRegion.bindWindow(pd(), addr, length, access);
            if (newKey == null) {
                return false;
            }
        }
        unbind();
        region = length == 0 ? null : newRegion;
        bound = newKey;
        updateRkey(newKey == null ? 0 : newKey.key());
        return true;
    }

    /** Ends the window: it is unbound, and can't be bound any more. */
    public synchronized void destroy() {
        closed = true;
        unbind();
    }

    private void unbind() {
        if (bound != null) {
            keys.remove(bound);
            region.unbindWindow();
            bound = null;
            region = null;
        }
    }
}
