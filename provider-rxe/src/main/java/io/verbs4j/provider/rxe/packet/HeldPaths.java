/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.provider.rxe.base.Mishaps;

/** The paths that hold packets back to send them with later ones. Any thread that is otherwise idle sends them. */
final class HeldPaths {
    /**
     * The first and the last path, linked by {@link RcPath#nextHeld}, so that adding one needs no memory. Guarded by
     * this object's lock.
     */
    private RcPath first;

    private RcPath last;
    private int size;
    private volatile boolean any;

    void add(RcPath path) {
        if (path.isHeld) {
            return;
        }
        synchronized (this) {
            path.isHeld = true;
            if (first == path || path.previousHeld != null) {
                return;
            }
            path.previousHeld = last;
            if (last == null) {
                first = path;
            } else {
                last.nextHeld = path;
            }
            last = path;
            size++;
            any = true;
        }
    }

    /** Removes a path that ends, so that it can be garbage-collected. The caller holds the send lock. */
    void remove(RcPath path) {
        if (path.isHeld) {
            synchronized (this) {
                path.isHeld = false;
                unlink(path);
            }
        }
    }

    /** Unlinks a path, unless {@link #flush} has done so. */
    private void unlink(RcPath path) {
        if (path.previousHeld == null && first != path) {
            return;
        }
        if (path.previousHeld == null) {
            first = path.nextHeld;
        } else {
            path.previousHeld.nextHeld = path.nextHeld;
        }
        if (path.nextHeld == null) {
            last = path.previousHeld;
        } else {
            path.nextHeld.previousHeld = path.previousHeld;
        }
        path.previousHeld = null;
        path.nextHeld = null;
        size--;
        any = first != null;
    }

    /** {@return the number of paths} */
    synchronized int size() {
        return size;
    }

    /** Makes all paths send. Called without locks. */
    void flush() {
        while (any) {
            RcPath path;
            synchronized (this) {
                path = first;
                if (path == null) {
                    return;
                }
                unlink(path);
            }
            synchronized (path.qp.sendLock) {
                path.isHeld = false;
                try {
                    path.flush();
                } catch (Throwable e) { // a poll must not throw this
                    path.qp.failSoon(path);
                    Mishaps.passOnDeath(e);
                }
            }
        }
    }
}
