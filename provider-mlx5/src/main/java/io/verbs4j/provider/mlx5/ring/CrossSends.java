/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import java.util.Arrays;

/**
 * What a send queue has of cross channel: whom its requests may name, how far others have let it begin, and what those of a batch have
 * changed that may yet be taken back. The lock of cross channel is held.
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

    /** Whether its requests begin when others let them. */
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

    /** The block behind the last request that may begin. */
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
                return false; // the device counts blocks, and how many the next request has is not known
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

    /** Forgets what was changed: it is posted. */
    void mark() {
        changes = 0;
    }

    /** Takes note of what a counter was. */
    void changing(CrossCounter counter) {
        if (changes == changed.length) {
            changed = Arrays.copyOf(changed, 2 * changes);
            before = Arrays.copyOf(before, 2 * changes);
        }
        changed[changes] = counter;
        before[changes++] = counter.value();
    }

    /** Takes back what was changed since {@link #mark}. */
    void undo() {
        while (changes > 0) {
            changes--;
            changed[changes].back(before[changes]);
        }
    }

    /** The queue pair went to RESET. */
    void reset() {
        enabled = 0;
        changes = 0;
    }
}
