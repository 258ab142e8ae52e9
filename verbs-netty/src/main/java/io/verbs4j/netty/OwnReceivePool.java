/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.QpInitAttr;
import io.verbs4j.RecvWorkRequest;

/**
 * Receives for devices without shared receive queues: each connection has its own, and their total number is limited.
 * Belongs to the loop's thread.
 */
final class OwnReceivePool implements ReceiveSupply {
    private final Slab slab;
    private final ReceiveRequest request;
    private final int capacity;
    private final int maxPosted;
    private int promised;

    /**
     * Makes a pool.
     *
     * @param maxQpWr maximum number of receives that a queue pair of the device can have
     */
    OwnReceivePool(Slab slab, int capacity, int maxQpWr) {
        this.slab = slab;
        this.request = new ReceiveRequest(slab);
        this.capacity = capacity;
        this.maxPosted = Math.min(VerbsOptions.MAX_WINDOW + OwnReceives.SPARE, maxQpWr);
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public Receives join(int credits) {
        return promise(credits + OwnReceives.SPARE) ? new OwnReceives(this, slab, credits, maxPosted) : null;
    }

    private boolean promise(int receives) {
        if (promised + receives > capacity) {
            return false;
        }
        promised += receives;
        return true;
    }

    /** Promises more receives to a connection; half of all are reserved for new connections. */
    boolean promiseMore(int receives) {
        return promised + receives <= capacity / 2 && promise(receives);
    }

    /** {@return the request that posts a slot; all connections share it} */
    RecvWorkRequest request(Slot slot) {
        return request.prepared(slot);
    }

    void unpromise(int receives) {
        promised -= receives;
    }

    @Override
    public void prepare(QpInitAttr attr) {
        attr.cap().maxRecvWr(maxPosted).maxRecvSge(1);
    }

    @Override
    public void orphaned(Slot slot) {
        // returned when the connection was closed
    }

    @Override
    public void close() {
        // owns nothing
    }
}
