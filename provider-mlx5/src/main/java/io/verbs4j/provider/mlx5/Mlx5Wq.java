/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.Errno;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.WqInitAttr;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.provider.mlx5.ring.FrameQueue;
import io.verbs4j.provider.mlx5.ring.FrameReceives;
import io.verbs4j.provider.mlx5.ring.ReceiveRing;
import io.verbs4j.rdmacore.object.BadWr;
import io.verbs4j.rdmacore.object.IbvWq;

/** The native side of a work queue that Java posts to. */
final class Mlx5Wq extends IbvWq {
    private static final int SEGMENT = 16;

    private final Mlx5Context base;
    private final RingLock lock;
    private final ReceiveRing ring;
    private final FrameQueue queue;
    private final FrameReceives completions;
    private boolean open;

    /**
     * Creates the native side of a {@code struct ibv_wq}.
     *
     * @param index index by which completions identify it
     */
    Mlx5Wq(Mlx5Context base, WqInitAttr attr, long wq, int index) {
        super(attr, wq);
        this.base = base;
        DvObjects.Wq r = DvObjects.wq(wq);
        lock = base.locks().make();
        ring = new ReceiveRing(
                r.buf(), r.count(), r.stride(), r.dbrec(), r.count(), attr.maxSge(), r.stride() / SEGMENT);
        queue = new FrameQueue(index, ring, false); // as libmlx5, which reports checksums only for queue pairs
        completions = Mlx5Cq.ringOf(attr.cq()).frameReceives();
        completions.attach(queue);
    }

    @Override
    protected int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        boolean asOwner = lock.lock();
        try {
            return open && wr != null ? ring.post(wr, badWr) : BadWr.tell(wr, badWr, Errno.EINVAL);
        } finally {
            lock.unlock(asOwner);
        }
    }

    @Override
    protected void whileNobodyPosts(Runnable body) {
        lock.locked(body);
    }

    @Override
    protected void open(boolean value) {
        open = value;
    }

    @Override
    protected void beginsAnew() {
        super.beginsAnew();
        ring.reset();
        completions.clean(queue);
    }

    @Override
    protected void close(Runnable destroy) {
        lock.locked(() -> {
            completions.detach(queue, destroy);
            open = false;
        });
        base.locks().remove(lock);
    }
}
