/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;

/**
 * The receives of all clients, in one shared queue. A WRITE with immediate takes one of them and no memory of it. The
 * queue starts small and grows where it runs low: the device tells so by an event.
 */
final class Receives implements AutoCloseable {
    /** Most receives: a completion queue of this size can't overrun. */
    static final int MOST = 1024;

    private static final int BATCH = 32;

    /** Where fewer than so many are left the device makes an event, once: then the limit has to be set anew. */
    private static final int LIMIT = 8;

    private final SharedReceiveQueue srq;
    private final RecvWorkRequest request = new RecvWorkRequest();
    private int inUse;

    Receives(ProtectionDomain pd) {
        srq = pd.createSrq(new SrqInitAttr().attr(new SrqAttr().maxWr(MOST).maxSge(1)));
        grow();
    }

    SharedReceiveQueue srq() {
        return srq;
    }

    /** Handles the event SRQ_LIMIT_REACHED: posts more receives and sets the limit again. */
    synchronized void grow() {
        int more = Math.min(BATCH, MOST - inUse);
        post(more);
        inUse += more;
        if (inUse < MOST) {
            srq.modify(new SrqAttr().srqLimit(LIMIT));
        }
    }

    /** Gives back receives that were used. */
    synchronized void giveBack(int count) {
        post(count);
    }

    private void post(int count) {
        for (int i = 0; i < count; i++) {
            int errno = srq.postRecv(request);
            if (errno != 0) {
                throw new IllegalStateException("postRecv: " + Errno.toString(errno));
            }
        }
    }

    /** How many there are, taken ones included. */
    synchronized int inUse() {
        return inUse;
    }

    @Override
    public void close() {
        srq.close();
    }
}
