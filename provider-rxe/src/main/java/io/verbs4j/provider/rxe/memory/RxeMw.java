/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.ProtectionDomain;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;

/** A type 1 memory window of the embedded device. */
public final class RxeMw {
    /** Not a monitor, because ending an old key waits until no thread touches the memory. */
    private final ReentrantLock lock = new ReentrantLock();

    private final MemoryKeys keys;
    private final ProtectionDomain pd;
    private final IntConsumer newRkey;
    private RxeMr region;
    private MemoryKey bound;
    private boolean closed;

    /** Creates an unbound window; {@code newRkey} receives each of its keys. */
    RxeMw(MemoryKeys keys, ProtectionDomain pd, IntConsumer newRkey) {
        this.keys = keys;
        this.pd = Domains.root(pd);
        this.newRkey = newRkey;
    }

    /**
     * Binds the window to a range of a region, replacing its previous binding; length 0 unbinds it.
     *
     * @return false if the window has ended or the region does not allow it; nothing changes then
     */
    public boolean bind(RxeMr newRegion, long addr, long length, int access) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            MemoryKey newKey = null;
            if (length != 0) {
                newKey = newRegion.bindWindow(pd, addr, length, access);
                if (newKey == null) {
                    return false;
                }
            }
            unbind();
            region = length == 0 ? null : newRegion;
            bound = newKey;
            newRkey.accept(newKey == null ? 0 : newKey.key());
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the window: it is unbound and can't be bound any more. */
    public void destroy() {
        lock.lock();
        try {
            closed = true;
            unbind();
        } finally {
            lock.unlock();
        }
    }

    private void unbind() {
        if (bound != null) {
            keys.remove(bound);
            region.release();
            bound = null;
            region = null;
        }
    }
}
