/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

/**
 * The queue pairs that the worker thread is to service, each at most once, in the order of their requests. The list is
 * linked through the queue pairs themselves, so that adding one needs no memory, which may be exhausted.
 */
public final class KickList {
    private RxeQp first;
    private RxeQp last;
    private int count;

    /** Adds a queue pair unless it is in the list. */
    public synchronized void add(RxeQp qp) {
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

    /** Removes the first queue pair and returns it, or null if the list is empty. */
    public synchronized RxeQp poll() {
        RxeQp qp = first;
        if (qp != null) {
            first = qp.nextKicked;
            last = first == null ? null : last;
            qp.nextKicked = null;
            qp.isKicked = false;
            count--;
        }
        return qp;
    }

    /** {@return the number of queue pairs in the list} */
    public synchronized int size() {
        return count;
    }
}
