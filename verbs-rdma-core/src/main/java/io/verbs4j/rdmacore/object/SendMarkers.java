/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.marshal.Completions;
import io.verbs4j.rdmacore.memory.KeyTable;

/**
 * The marker of a completion queue: the last request of a send queue that is to run dry. It is a write of no bytes,
 * which takes no receive and needs no key, so the program at the peer does not see it; requests complete in order, so
 * all before it are done when it is. Its completion is kept from the program. One send queue at a time has a marker,
 * so that a completion queue of many is not overrun. Thread-safe.
 */
public final class SendMarkers {
    /** The id of a marker. */
    public static final long WR_ID = 0x7d72_7962_7334_6a01L;

    private static final int NOBODY = -1;
    private static final int UNDER_WAY = -1;

    private final KeyTable<Watched> watched = new KeyTable<>();
    private volatile boolean used;
    private int qpNum = NOBODY;
    private int status = UNDER_WAY;

    /** A queue pair whose sends are counted. */
    private static final class Watched extends KeyTable.Entry<Watched> {
        private final SendTally tally;

        Watched(int key, IbvQp owner, SendTally tally, Watched next) {
            super(key, owner, next);
            this.tally = tally;
        }

        @Override
        protected Watched before(Watched other) {
            return new Watched(key(), (IbvQp) owner(), tally, other);
        }
    }

    /** A marker that nobody has. */
    public SendMarkers() {}

    static SendWorkRequest request() {
        return new SendWorkRequest().opcode(WrOpcode.RDMA_WRITE).wrId(WR_ID).sendFlags(SendFlags.SIGNALED);
    }

    /** Counts what completes of a queue pair, which may have a marker, from now on till {@link #forget}. */
    void watch(IbvQp qp) {
        watched.add(new Watched(qp.qpNum(), qp, qp.tally, null));
        used = true;
    }

    void forget(IbvQp qp) {
        if (used) {
            watched.remove(qp.qpNum(), qp);
        }
        release(qp.qpNum());
    }

    /** Whether {@link #completed} is to be told of completions. */
    boolean isUsed() {
        return used;
    }

    /**
     * A completion was taken.
     *
     * @param of its queue pair
     * @param newStatus a {@link WcStatus}
     * @param opcode a {@link WcOpcode}; of no meaning unless the status is success
     * @return whether it is a marker's, and not the program's
     */
    boolean completed(int of, long wrId, int newStatus, int opcode) {
        if (newStatus == WcStatus.SUCCESS && !Completions.isReceive(opcode)) {
            Watched qp = watched.find(of);
            if (qp != null) {
                qp.tally.completed();
            }
        }
        return wrId == WR_ID && reached(of, newStatus);
    }

    /** The marker is that of a queue pair from now on, till {@link #release}; false while it is another one's. */
    synchronized boolean claim(int newOwner) {
        if (qpNum == NOBODY) {
            qpNum = newOwner;
            status = UNDER_WAY;
        }
        return qpNum == newOwner;
    }

    /** A queue pair is gone or in RESET: its marker is another one's to use. */
    public synchronized void release(int owner) {
        if (qpNum == owner) {
            qpNum = NOBODY;
        }
    }

    /**
     * The send queue of a queue pair has got as far as its marker, or as its last request. To be asked about
     * completions of id {@link #WR_ID}.
     *
     * @param of the queue pair
     * @param newStatus how it went, a {@link WcStatus}
     * @return false where the completion is no marker's, and the program's
     */
    public synchronized boolean reached(int of, int newStatus) {
        if (qpNum != of) {
            return false;
        }
        status = newStatus;
        return true;
    }

    /** Whether the send queue of the owner is dry, or has failed. */
    synchronized boolean isOver() {
        return status != UNDER_WAY;
    }

    /**
     * Whether all requests of the owner were acknowledged. Where the peer has refused the marker itself, as its queue
     * pair takes no writes, it has taken all before.
     */
    synchronized boolean isDry() {
        return status == WcStatus.SUCCESS
                || status == WcStatus.REM_ACCESS_ERR
                || status == WcStatus.REM_INV_REQ_ERR
                || status == WcStatus.REM_OP_ERR;
    }
}
