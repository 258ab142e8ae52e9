/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.rdmacore.memory.KeyTable;

/**
 * The shared receive queues of type XRC that complete in one completion queue. Completions identify them by an index;
 * other receives are found by their queue pair.
 */
public final class XrcReceives {
    private static final class Entry extends KeyTable.Entry<Entry> {
        private final SharedRing shared;

        Entry(int index, SharedRing shared, Entry next) {
            super(index, shared, next);
            this.shared = shared;
        }

        @Override
        protected Entry before(Entry other) {
            return new Entry(key(), shared, other);
        }
    }

    private final CqRing cq;
    private final KeyTable<Entry> table = new KeyTable<>();
    private SharedRing ofUnknownIndex; // guarded by the lock of the completion queue

    XrcReceives(CqRing cq) {
        this.cq = cq;
    }

    /** Returns the queue with an index, otherwise the one whose index is unknown; null if there is none. */
    SharedRing find(int index) {
        Entry found = table.find(index);
        return found == null ? ofUnknownIndex : found.shared;
    }

    /**
     * Adds a queue.
     *
     * @param index index by which completions identify it; negative if unknown, which only one queue may be
     * @return false if there is already a queue with an unknown index
     */
    public boolean attach(int index, SharedRing shared) {
        boolean asOwner = cq.lock().lockOnce();
        try {
            if (index < 0 && ofUnknownIndex != null) {
                return false;
            }
            add(index, shared);
            return true;
        } finally {
            cq.lock().unlock(asOwner);
        }
    }

    private void add(int index, SharedRing shared) {
        if (index < 0) {
            ofUnknownIndex = shared;
        } else {
            table.add(new Entry(index, shared, null));
        }
    }

    private void remove(int index, SharedRing shared) {
        if (index < 0) {
            ofUnknownIndex = null;
        } else {
            table.remove(index, shared);
        }
    }

    /**
     * Destroys a queue and drops its completions, because the next queue may get its index. No thread polls meanwhile,
     * since a poll writes to the queue.
     *
     * @param destroy frees the queue; if it throws, everything remains as it was
     */
    public void detach(int index, SharedRing shared, Runnable destroy) {
        cq.lock().locked(() -> {
            remove(index, shared); // first, since it allocates: a failure must not leave a freed queue here
            try {
                destroy.run();
            } catch (RuntimeException | Error e) {
                add(index, shared);
                throw e;
            }
            cq.dropXrc(index);
        });
    }
}
