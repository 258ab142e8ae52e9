/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.rdmacore.memory.KeyTable;

/**
 * The queues whose frames complete in one completion queue. All methods but {@link #find} and {@link #drop} take its
 * lock.
 */
public final class FrameReceives {
    private final CqRing cq;
    private final KeyTable<FrameQueue> table = new KeyTable<>();

    FrameReceives(CqRing cq) {
        this.cq = cq;
    }

    /** Returns the queue with an index; null if it is not a frame queue. */
    FrameQueue find(int index) {
        return table.find(index);
    }

    /** Adds a queue, before anything can arrive there. */
    public void attach(FrameQueue queue) {
        boolean asOwner = cq.lock().lockOnce();
        try {
            cq.readFrames();
            table.add(queue);
        } finally {
            cq.lock().unlock(asOwner);
        }
    }

    /** Drops the completions of a queue that starts again. */
    public void clean(FrameQueue queue) {
        boolean asOwner = cq.lock().lockOnce();
        try {
            cq.dropFrames(queue.key());
        } finally {
            cq.lock().unlock(asOwner);
        }
    }

    /**
     * Destroys a queue and drops its completions, because the next queue may get its index. No thread polls meanwhile.
     *
     * @param destroy frees the queue; if it throws, everything remains as it was
     */
    public void detach(FrameQueue queue, Runnable destroy) {
        cq.lock().locked(() -> drop(queue, destroy));
    }

    /** Destroys a queue as {@link #detach} does, with the lock held. */
    void drop(FrameQueue queue, Runnable destroy) {
        table.remove(
                queue.key(), queue.owner()); // first, since it allocates: a failure must not leave freed memory here
        try {
            destroy.run();
        } catch (RuntimeException | Error e) {
            table.add(queue);
            throw e;
        }
        cq.dropFrames(queue.key());
    }
}
