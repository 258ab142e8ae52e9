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
 * The marker of a completion queue: the last request of a send queue that is to drain. It is a write of no bytes, which
 * consumes no receive and needs no key, so the peer's program does not see it. Requests complete in order, so when the
 * marker completes, all requests before it are done. Its completion is hidden from the program. Only one send queue at
 * a time has a marker, so that a completion queue shared by many does not overrun. Thread-safe.
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

    /** Creates a marker without an owner. */
    public SendMarkers() {}

    static SendWorkRequest request() {
        return new SendWorkRequest().opcode(WrOpcode.RDMA_WRITE).wrId(WR_ID).sendFlags(SendFlags.SIGNALED);
    }

    /** Counts the completions of a queue pair, which may then have a marker, until {@link #forget}. */
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

    /** {@return whether completions must be reported to {@link #completed}} */
    boolean isUsed() {
        return used;
    }

    /**
     * Handles a completion.
     *
     * @param of its queue pair
     * @param newStatus a {@link WcStatus}
     * @param opcode a {@link WcOpcode}; meaningless unless the status is success
     * @return whether it belongs to a marker, and not to the program
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

    /** Claims the marker for a queue pair until {@link #release}; returns false while another one owns it. */
    synchronized boolean claim(int newOwner) {
        if (qpNum == NOBODY) {
            qpNum = newOwner;
            status = UNDER_WAY;
        }
        return qpNum == newOwner;
    }

    /** Releases the marker of a destroyed or reset queue pair. */
    public synchronized void release(int owner) {
        if (qpNum == owner) {
            qpNum = NOBODY;
        }
    }

    /**
     * Handles a completion with id {@link #WR_ID}: the queue pair's send queue has reached its marker, or its last
     * request.
     *
     * @param of the queue pair
     * @param newStatus status of the completion, a {@link WcStatus}
     * @return false if the completion is not a marker's, but the program's
     */
    public synchronized boolean reached(int of, int newStatus) {
        if (qpNum != of) {
            return false;
        }
        status = newStatus;
        return true;
    }

    /** {@return whether the owner's send queue has drained or failed} */
    synchronized boolean isOver() {
        return status != UNDER_WAY;
    }

    /**
     * Returns whether all of the owner's requests were acknowledged. If the peer refused the marker itself, because its
     * queue pair permits no writes, it has accepted all requests before.
     */
    synchronized boolean isDry() {
        return status == WcStatus.SUCCESS
                || status == WcStatus.REM_ACCESS_ERR
                || status == WcStatus.REM_INV_REQ_ERR
                || status == WcStatus.REM_OP_ERR;
    }
}
