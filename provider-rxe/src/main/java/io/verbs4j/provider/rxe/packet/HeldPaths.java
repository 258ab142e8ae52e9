/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import java.util.ArrayDeque;

/** The paths that hold packets back to send them with later ones. Whoever has nothing better to do sends them. */
final class HeldPaths {
    private final ArrayDeque<RcPath> paths = new ArrayDeque<>(64);
    private volatile boolean any;

    void add(RcPath path) {
        if (path.isHeld) {
            return;
        }
        synchronized (paths) {
            path.isHeld = true;
            paths.add(path);
            any = true;
        }
    }

    /** Forgets a path that ends, and so lets go of its memory. The send lock is held. */
    void remove(RcPath path) {
        if (path.isHeld) {
            synchronized (paths) {
                path.isHeld = false;
                paths.remove(path);
                any = !paths.isEmpty();
            }
        }
    }

    /** How many there are. */
    int size() {
        synchronized (paths) {
            return paths.size();
        }
    }

    /** Lets all send. Called without a lock. */
    void flush() {
        while (any) {
            RcPath path;
            synchronized (paths) {
                path = paths.poll();
                any = !paths.isEmpty();
            }
            if (path == null) {
                return;
            }
            synchronized (path.qp.sendLock) {
                path.isHeld = false;
                path.flush();
            }
        }
    }
}
