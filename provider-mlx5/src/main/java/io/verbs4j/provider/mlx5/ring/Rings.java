/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.rdmacore.memory.KeyTable;

/** The queue pairs of a context by their numbers, for completions. Lookups take no lock and do not allocate. */
public final class Rings {
    /** The parts of a queue pair that reading its completions needs. */
    public static final class Entry extends KeyTable.Entry<Entry> {
        final SendRing sends;
        final ReceiveRing receives;
        final SharedRing shared;
        private final CqRing sendCq;
        private final CqRing recvCq;
        private final FrameQueue frames;

        /**
         * Creates the entry of a queue pair; each of its rings may be null.
         *
         * @param frames its queue for received frames, if it receives frames
         * @param sendCq the ring in which its sends complete
         * @param recvCq the ring in which its receives complete
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

        private void used(int change) {
            if (sendCq != null) {
                sendCq.used(change);
            }
            if (recvCq != null && recvCq != sendCq) {
                recvCq.used(change);
            }
        }

        @Override
        protected Entry before(Entry other) {
            return new Entry(this, other);
        }
    }

    private final KeyTable<Entry> table = new KeyTable<>();

    private final MrKeys mrKeys = new MrKeys();

    /** Creates an empty table. */
    public Rings() {}

    /** Returns the keys of the context that work requests register memory with. */
    public MrKeys mrKeys() {
        return mrKeys;
    }

    /** Returns the queue pair with a number, the newest if the device has reused the number; or null. */
    Entry find(int qpNum) {
        return table.find(qpNum);
    }

    /** Adds a queue pair, which the caller must give to {@link #destroy}. */
    public Entry add(Entry qp) {
        table.add(qp);
        qp.used(1);
        return qp;
    }

    /**
     * Destroys a queue pair and drops the completions that it has left. No thread polls meanwhile, because pollers find
     * its rings by its number and read them. A queue pair that has got its number meanwhile remains.
     *
     * @param destroy frees the rings; if it throws, everything remains as it was
     */
    public void destroy(Entry qp, Runnable destroy) {
        CqRing.whileNobodyPolls(qp.sendCq, qp.recvCq, () -> {
            table.remove(qp.key(), qp.owner()); // first, since it allocates: a failure must not leave freed rings here
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
            qp.used(-1);
        });
    }
}
