/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.provider.rxe.base.Mishaps;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The paths whose peers acknowledge by receipts. Whoever receives packets looks at the receipts of all of them.
 */
final class AwaitedReceipts {
    /** Maximum number of paths, because each look at all of them takes time. Others are acknowledged by packets. */
    static final int MOST = 64;

    private final AtomicReferenceArray<RcPath> paths = new AtomicReferenceArray<>(MOST);

    /** Places from here on were never used. */
    private volatile int bound;

    /** Adds a path, unless there are too many; returns whether it is there. The caller holds the send lock. */
    boolean add(RcPath path) {
        if (path.receiptPlace >= 0) {
            return true;
        }
        for (int i = 0; i < MOST; i++) {
            if (paths.get(i) == null && paths.compareAndSet(i, null, path)) {
                path.receiptPlace = i;
                raise(i + 1);
                return true;
            }
        }
        return false;
    }

    private synchronized void raise(int least) {
        bound = Math.max(bound, least);
    }

    /** Removes a path if it is there. The caller holds the send lock. */
    void remove(RcPath path) {
        if (path.receiptPlace >= 0) {
            paths.set(path.receiptPlace, null);
            path.receiptPlace = -1;
        }
    }

    /** {@return whether a path has a receipt that {@link #take} has not dealt with} */
    boolean any() {
        for (int i = 0, n = bound; i < n; i++) {
            RcPath path = paths.get(i);
            if (path != null && path.hasReceipt()) {
                return true;
            }
        }
        return false;
    }

    /** Deals with all receipts, and removes paths that have been idle for long. Called without locks. */
    void take() {
        for (int i = 0, n = bound; i < n; i++) {
            RcPath path = paths.get(i);
            if (path != null) {
                try {
                    path.lookForReceipt();
                } catch (Throwable e) { // a poll must not throw this
                    path.qp.failSoon(path);
                    Mishaps.passOnDeath(e);
                }
            }
        }
    }
}
