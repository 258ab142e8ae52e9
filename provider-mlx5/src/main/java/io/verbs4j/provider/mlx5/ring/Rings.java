/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.rdmacore.memory.KeyTable;

/** The queue pairs of a context by their numbers, for completions. Looking up takes no lock and allocates nothing. */
public final class Rings {
    /** What a completion of a queue pair needs of it. */
    public static final class Entry extends KeyTable.Entry<Entry> {
        final SendRing sends;
        final ReceiveRing receives;
        final SharedRing shared;
        private final CqRing sendCq;
        private final CqRing recvCq;
        private final FrameQueue frames;

        /**
         * Of a queue pair; each of its rings may be null.
         *
         * @param frames what it receives by, where it receives frames
         * @param sendCq where what it sends completes
         * @param recvCq where what it receives completes
         */
        public Entry(
                int qpNum,
                Object qp,
                SendRing sends,
                ReceiveRing receives,
                SharedRing shared,
                FrameQueue frames,
                CqRing sendCq,
                CqRing recvCq) {
            super(qpNum, qp, null);
            this.sends = sends;
            this.receives = receives;
            this.shared = shared;
            this.sendCq = sendCq;
            this.recvCq = recvCq;
            this.frames = frames;
        }

        private Entry(Entry of, Entry next) {
            super(of.key(), of.owner(), next);
            sends = of.sends;
            receives = of.receives;
            shared = of.shared;
            sendCq = of.sendCq;
            recvCq = of.recvCq;
            frames = of.frames;
        }

        @Override
        protected Entry before(Entry other) {
            return new Entry(this, other);
        }
    }

    private final KeyTable<Entry> table = new KeyTable<>();

    private final MrKeys mrKeys = new MrKeys();

    /** None. */
    public Rings() {}

    /** The keys of the context that work requests give memory to. */
    public MrKeys mrKeys() {
        return mrKeys;
    }

    /** The queue pair of a number, the newest where the device gave it out anew; or null. */
    Entry find(int qpNum) {
        return table.find(qpNum);
    }

    /** Adds a queue pair; to be given to {@link #destroy}. */
    public Entry add(Entry qp) {
        table.add(qp);
        return qp;
    }

    /**
     * Destroys a queue pair and drops the completions that it has left, while nobody polls: pollers find its rings by
     * its number, and read
     * them. One that has got its number meanwhile stays.
     *
     * @param destroy frees the rings; where it throws, all stays as it was
     */
    public void destroy(Entry qp, Runnable destroy) {
        CqRing.whileNobodyPolls(qp.sendCq, qp.recvCq, () -> {
            table.remove(
                    qp.key(),
                    qp.owner()); // first, since it allocates: a failure must not leave rings here that are freed
            try {
                if (qp.frames == null) {
                    destroy.run();
                } else {
                    qp.recvCq.frameReceives().drop(qp.frames, destroy);
                }
            } catch (RuntimeException | Error e) {
                table.add(qp);
                throw e;
            }
            if (qp.sendCq != null) {
                qp.sendCq.drop(qp.key(), qp.shared);
            }
            if (qp.recvCq != null && qp.recvCq != qp.sendCq) {
                qp.recvCq.drop(qp.key(), qp.shared);
            }
        });
    }
}
