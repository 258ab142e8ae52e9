/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.Gid;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;

/**
 * RC by packets: a requester, a responder and what drives them. Also for XRC, where one side has only a requester and
 * the other only a responder.
 */
final class RcPath extends PacketPath {
    /** Number of looks without a receipt after which the place goes to a path that sends. */
    private static final int IDLE_LOOKS = 1 << 14;

    private final PeerCheck peer;
    final HeldPaths held;
    private final AwaitedReceipts receipts;
    private final TransportCounters counters;
    private final RcRequester requester;
    private final RcCompleter completer;
    final RcResponder responder;

    /** Whether requests may be executed with the receive lock held for long: for XRC between processes. */
    private final boolean holdsLockLong;

    /** Takes slow requests from the receiving thread; created for the first one. */
    private volatile Handoff handoff;

    private final boolean sends;
    private final boolean receives;

    // What this burst contained; owned by the receiving thread.
    private boolean requests;
    private boolean responses;

    /** Whether it is in {@link HeldPaths}. Guarded by the send lock. */
    boolean isHeld;

    // Links in that list; guarded by its lock.
    RcPath previousHeld;
    RcPath nextHeld;

    /** Its place in {@link AwaitedReceipts}, or -1. Guarded by the send lock. */
    int receiptPlace = -1;

    /** How often in a row there was no receipt; inexact, because several threads may look. */
    private int idleLooks;

    RcPath(RxeQp qp, Link link, HeldPaths held, AwaitedReceipts receipts, TransportCounters counters) {
        super(qp);
        Gid remote = qp.settings().remoteGid();
        int remoteQpn = qp.settings().destQpn();
        this.peer = new PeerCheck(remote, link.localGid());
        this.held = held;
        this.receipts = receipts;
        this.counters = counters;
        int type = qp.qpType();
        this.sends = type != QpType.XRC_RECV;
        this.receives = type != QpType.XRC_SEND;
        int service = type == QpType.RC ? Opcode.RC : Opcode.XRC;
        this.holdsLockLong = qp.waitsForProcesses();
        // Two outputs, because they are used under different locks.
        this.responder = new RcResponder(qp, new PacketOutput(link, remote, remoteQpn), service, counters);
        this.requester = new RcRequester(this, new PacketOutput(link, remote, remoteQpn), service, responder, counters);
        this.completer = new RcCompleter(requester, counters);
    }

    @Override
    boolean isFromPeer(Packet packet) {
        return peer.allows(packet);
    }

    @Override
    public void onPacket(Packet packet) {
        boolean request = Opcode.isRequest(packet.opcode());
        if (request ? !receives : !sends) {
            counters.count(TransportCounters.WRONG_SERVICE);
        } else if (request) {
            if (!handsOver(packet)) {
                requests = true;
                execute(packet);
            }
        } else {
            responses = true;
            synchronized (qp.sendLock) {
                if (isSending()) {
                    completer.onResponse(packet);
                } else {
                    counters.count(TransportCounters.WRONG_STATE);
                }
            }
        }
    }

    private boolean handsOver(Packet packet) {
        Handoff to = handoff;
        if (to == null && Handoff.takesLong(qp, packet)) {
            to = new Handoff(qp, this, counters);
            handoff = to;
        }
        return to != null && to.takes(packet);
    }

    /** Makes the responder execute a request. Waits for a disk without the lock, which others need. */
    void execute(Packet packet) {
        synchronized (qp.recvLock) {
            if (!qp.isReceiving()) {
                counters.count(TransportCounters.WRONG_STATE);
                return;
            }
            responder.onRequest(packet);
            if (!responder.isForcing()) {
                return;
            }
        }
        boolean done = false;
        try {
            done = responder.force();
        } finally {
            synchronized (qp.recvLock) {
                responder.forced(packet, done);
            }
        }
    }

    /** Marks a request that was to be executed later as lost. */
    void lose(Packet packet) {
        synchronized (qp.recvLock) {
            responder.lost(packet);
        }
    }

    /** Makes the responder answer, for {@link Handoff}. */
    void answer() {
        synchronized (qp.recvLock) {
            responder.burstEnded(false);
        }
        if (responder.deadline() != Long.MAX_VALUE) {
            synchronized (qp.sendLock) {
                schedule();
            }
        }
    }

    /** {@return whether the peer may acknowledge by receipts} The caller holds the send lock. */
    boolean awaitsReceipts() {
        return receipts.add(this);
    }

    /** {@return whether there is a receipt that was not dealt with} Any thread may ask. */
    boolean hasReceipt() {
        return requester.hasReceipt();
    }

    /** Deals with a receipt if there is one. Called without locks. */
    void lookForReceipt() {
        if (requester.hasReceipt()) {
            idleLooks = 0;
            synchronized (qp.sendLock) {
                if (isSending()) {
                    requester.takeReceipt();
                    run();
                }
            }
        } else if (++idleLooks > IDLE_LOOKS) {
            idleLooks = 0;
            synchronized (qp.sendLock) {
                if (!requester.isUnderWay()) {
                    receipts.remove(this);
                }
            }
        }
    }

    private boolean isSending() {
        return (qp.state() == QpState.RTS || qp.state() == QpState.SQD) && qp.path() == this;
    }

    @Override
    boolean wantsBurstEnd() {
        return true;
    }

    @Override
    boolean burstEnded(boolean polled) {
        boolean more = responses;
        boolean awaits = false;
        if (requests) {
            requests = false;
            if (!holdsLockLong || handoff == null || !handoff.answers()) {
                synchronized (qp.recvLock) {
                    awaits = responder.burstEnded(polled);
                }
            }
            more |= responder.deadline() != Long.MAX_VALUE;
        }
        if (more) {
            responses = false;
            synchronized (qp.sendLock) {
                if (isSending()) {
                    requester.run();
                }
                schedule();
            }
        }
        return awaits;
    }

    @Override
    void answerIsLate() {
        if (responder.awaitsAnswer()) {
            synchronized (qp.recvLock) {
                responder.answerIsLate();
            }
        }
    }

    @Override
    public void run() {
        requester.run();
        schedule();
    }

    @Override
    public void flush() {
        requester.awaitReceipt(); // perhaps for a drained send queue
        requester.flush();
    }

    @Override
    public void onTimer(long now, long seen) {
        if (isSending()) {
            requester.takeReceipt();
            requester.onTimer(now, seen);
        }
        if (responder.deadline() - now <= 0) {
            if (holdsLockLong && handoff != null) {
                handoff.answer();
                return; // that sets the next deadline
            }
            synchronized (qp.recvLock) {
                responder.burstEnded(false);
            }
        }
        schedule();
    }

    /** Sets the queue pair's only deadline if an earlier one is needed; a timer that comes too early sets it again. */
    private void schedule() {
        if (requester.holds()) {
            held.add(this);
        }
        long deadline = Math.min(requester.deadline(), responder.deadline());
        if (deadline < qp.deadline()) {
            qp.wakeAt(deadline);
        }
    }

    @Override
    public void stop() {
        requester.stop();
        held.remove(this);
        receipts.remove(this);
        synchronized (qp.recvLock) {
            responder.stop();
        }
    }

    @Override
    public int sqPsn() {
        return requester.psn();
    }

    @Override
    public int rqPsn() {
        return responder.psn();
    }
}
