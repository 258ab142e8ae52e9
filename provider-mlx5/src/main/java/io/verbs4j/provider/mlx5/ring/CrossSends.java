/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import java.util.Arrays;

/**
 * The cross-channel state of a send queue: the peers that its requests can name, how far others have enabled it, and
 * the changes of the current batch, which may have to be undone. The cross-channel lock is held.
 */
final class CrossSends implements CrossCounter {
    private final SendElements sends;
    private final CrossPeers peers;
    private final boolean managed;
    private int enabled;
    private CrossCounter[] changed = new CrossCounter[Byte.SIZE];
    private int[] before = new int[Byte.SIZE];
    private int changes;

    CrossSends(SendElements sends, CrossPeers peers, boolean managed) {
        this.sends = sends;
        this.peers = peers;
        this.managed = managed;
    }

    /** Returns whether its requests begin only when others enable them. */
    boolean isManaged() {
        return managed;
    }

    CrossPeers peers() {
        return peers;
    }

    @Override
    public int number() {
        return sends.qpNum;
    }

    /** Returns the block after the last enabled request. */
    @Override
    public int value() {
        return enabled;
    }

    @Override
    public boolean advance(int count) {
        int to = enabled;
        if (count == 0) {
            to = sends.block;
        }
        for (int i = 0; i < count; i++) {
            if (to == sends.block) {
                return false; // the device counts blocks, and the number of blocks of the next request is not yet known
            }
            to += sends.blocksAt(to);
        }
        enabled = to;
        return count >= 0;
    }

    @Override
    public void back(int value) {
        enabled = value;
    }

    /** Forgets the changes, because their requests are posted. */
    void mark() {
        changes = 0;
    }

    /** Records a counter's value before it changes. */
    void changing(CrossCounter counter) {
        if (changes == changed.length) {
            changed = Arrays.copyOf(changed, 2 * changes);
            before = Arrays.copyOf(before, 2 * changes);
        }
        changed[changes] = counter;
        before[changes++] = counter.value();
    }

    /** Undoes the changes since {@link #mark}. */
    void undo() {
        while (changes > 0) {
            changes--;
            changed[changes].back(before[changes]);
        }
    }

    /** Resets the counters after the queue pair moved to RESET. */
    void reset() {
        enabled = 0;
        changes = 0;
    }
}
