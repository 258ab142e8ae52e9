/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.rdmacore.memory.KeyTable;

/** A receive queue for frames: of a raw packet queue pair, or a work queue. Completions identify it by its index. */
public final class FrameQueue extends KeyTable.Entry<FrameQueue> {
    final ReceiveRing receives;
    private final boolean checked;

    /**
     * Creates a queue.
     *
     * @param index index by which completions identify it
     * @param checked whether completions report that checksums are correct
     */
    public FrameQueue(int index, ReceiveRing receives, boolean checked) {
        super(index, receives, null);
        this.receives = receives;
        this.checked = checked;
    }

    private FrameQueue(FrameQueue of, FrameQueue next) {
        super(of.key(), of.owner(), next);
        receives = of.receives;
        checked = of.checked;
    }

    @Override
    protected FrameQueue before(FrameQueue other) {
        return new FrameQueue(this, other);
    }

    /** Returns the {@link io.verbs4j.WcFlags} that only frames have. */
    int flags(long cqe) {
        return checked ? Cqe.checksumFlags(cqe) : 0;
    }
}
