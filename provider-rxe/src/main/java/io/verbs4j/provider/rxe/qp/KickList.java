/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

/**
 * Queue pairs that the worker thread is to serve, each once, in the order in which they asked for it. The list goes through
 * the queue pairs themselves: to ask takes no memory, of which there may be none.
 */
public final class KickList {
    private RxeQueuePair first;
    private RxeQueuePair last;
    private int count;

    /** Adds a queue pair, unless it is in the list. */
    public synchronized void add(RxeQueuePair qp) {
        if (qp.isKicked) {
            return;
        }
        qp.isKicked = true;
        if (last == null) {
            first = qp;
        } else {
            last.nextKicked = qp;
        }
        last = qp;
        count++;
    }

    /** Takes the first one out; null where there is none. */
    public synchronized RxeQueuePair poll() {
        RxeQueuePair qp = first;
        if (qp != null) {
            first = qp.nextKicked;
            last = first == null ? null : last;
            qp.nextKicked = null;
            qp.isKicked = false;
            count--;
        }
        return qp;
    }

    /** How many there are. */
    public synchronized int size() {
        return count;
    }
}
