/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.RejectReason;

/**
 * The state of a connection in the message protocol. It outlives its end, to complete what the end has started to take
 * down. Guarded by the engine.
 *
 * <p>A message counts only if it comes from the peer's address and carries the ids of both sides, as far as these are
 * known. So nobody who does not know them can take over or take down the connection. Source: InfiniBand Architecture
 * Specification volume 1, 12.9.
 */
final class Connection extends Repeating {
    /** States. Sending or receiving an MRA, which extends a wait, does not change the state. */
    enum State {
        REQ_SENT,
        REP_RCVD,
        REQ_RCVD,
        REP_SENT,
        ESTABLISHED,
        DREQ_SENT,
        TIMEWAIT,
        IDLE
    }

    /** How often a peer that may be gone is probed. */
    private static final int PROBES = 4;

    private static final int OF_REQ = 0;
    private static final int OF_REP = 1;
    private static final int OF_NONE = 2;

    /** Null when the end is closed. */
    Endpoint end;

    final int localId;
    int remoteId;
    long tid;
    State state;
    boolean active;

    // attributes of the queue pairs
    int localQpn;
    int remoteQpn;
    /**
     * Number of the first packet to receive: the "starting PSN" in a message is what its sender expects, not what it
     * sends.
     */
    int receivePsn;

    /** Number of the first packet to send. */
    int sendPsn;

    int pathMtu;
    int flowLabel;
    int responderResources;
    int initiatorDepth;
    int retryCount;
    int rnrRetryCount;
    int ackTimeout;

    /** The GUID that the peer states in its REQ or REP. */
    long remoteGuid;

    private Mad rep;
    private boolean probing;

    /** Checks whether the peer still exists; null if disabled. */
    private KeepAlive keepAlive;

    Connection(Engine engine, Endpoint end, int localId) {
        super(engine);
        this.end = end;
        this.localId = localId;
    }

    // ---- calls of the program

    void request(Req req) {
        active = true;
        state = State.REQ_SENT;
        tid = req.tid();
        repeat(req);
    }

    void accept(Rep message) {
        state = State.REP_SENT;
        rep = message;
        engine.replied(this);
        repeat(message);
    }

    void reject(int reason, byte[] privateData) {
        int about = state == State.REQ_RCVD ? OF_REQ : OF_REP;
        send(rejection(about, reason, privateData));
        remove();
    }

    private Rej rejection(int about, int reason, byte[] privateData) {
        Rej rej = new Rej();
        rej.tid(tid);
        rej.localId(localId);
        rej.remoteId(remoteId);
        rej.message(about);
        rej.reason(reason);
        rej.privateData(privateData);
        return rej;
    }

    void establish() {
        send(readyToUse());
        established();
    }

    private void established() {
        state = State.ESTABLISHED;
        keepAlive(end == null ? 0 : end.keepAliveNanos());
    }

    /** Starts probing the peer; 0 stops it. */
    void keepAlive(long nanos) {
        if (keepAlive != null) {
            engine.cancel(keepAlive);
            keepAlive = null;
        }
        if (nanos > 0 && state == State.ESTABLISHED) {
            keepAlive = new KeepAlive(this, nanos);
            keepAlive.begin();
        }
    }

    /** Called when the peer has vanished without disconnecting. */
    void lost() {
        if (state == State.ESTABLISHED) {
            disconnected(-Errno.ETIMEDOUT);
        }
    }

    private Rtu readyToUse() {
        Rtu rtu = new Rtu();
        rtu.tid(tid);
        rtu.localId(localId);
        rtu.remoteId(remoteId);
        return rtu;
    }

    void disconnect() {
        if (state == State.ESTABLISHED) {
            stopProbing();
            keepAlive(0);
            state = State.DREQ_SENT;
            Dreq dreq = new Dreq();
            dreq.tid(engine.newTid(localId));
            dreq.localId(localId);
            dreq.remoteId(remoteId);
            dreq.remoteQpNum(remoteQpn);
            repeat(dreq);
        }
    }

    /** Called when the end is closed. */
    void abandon() {
        end = null;
        switch (state) {
            case REQ_SENT -> {
                Rej rej = rejection(OF_NONE, RejectReason.TIMEOUT, new byte[0]);
                rej.infoGuid(engine.guid());
                send(rej);
                remove();
            }
            case REP_RCVD, REQ_RCVD, REP_SENT -> reject(RejectReason.CONSUMER_DEFINED, new byte[0]);
            case ESTABLISHED -> disconnect();
            default -> {
                // continues by itself
            }
        }
    }

    // ---- messages of the peer

    private boolean isFrom(Gid source) {
        return source.equals(remoteGid);
    }

    private boolean isFrom(Gid source, int sender) {
        return isFrom(source) && sender == remoteId;
    }

    /** Handles a repeated request: the peer is waiting and is told to wait longer. */
    void onReqAgain() {
        if (state == State.REQ_RCVD) {
            send(moreTime(OF_REQ));
        }
    }

    private Mra moreTime(int about) {
        Mra mra = new Mra();
        mra.tid(tid);
        mra.localId(localId);
        mra.remoteId(remoteId);
        mra.message(about);
        mra.serviceTimeout(CmTime.SERVICE_TIMEOUT);
        return mra;
    }

    void onMra(Mra mra, Gid source) {
        long longer = CmTime.nanos(mra.serviceTimeout()) + CmTime.nanos(CmTime.PACKET_LIFE);
        if (state == State.REQ_SENT && mra.message() == OF_REQ && isFrom(source)
                || state == State.REP_SENT && mra.message() == OF_REP && isFrom(source, mra.localId())) {
            waitLonger(longer);
        }
    }

    void onRep(Rep message, Gid source) {
        if (state == State.REQ_SENT && isFrom(source)) {
            answered();
            remoteId = message.localId();
            remoteQpn = message.qpNum();
            sendPsn = message.startingPsn();
            remoteGuid = message.caGuid();
            initiatorDepth = Math.min(initiatorDepth, message.responderResources());
            responderResources = Math.min(responderResources, message.initiatorDepth());
            rnrRetryCount = message.rnrRetryCount();
            int usual = CmTime.ackTimeout(message.targetAckDelay(), CmTime.PACKET_LIFE);
            ackTimeout = end == null ? usual : end.options.ackTimeout(usual);
            state = State.REP_RCVD;
            ConnParam conn = ConnParam.DEFAULT
                    .withPrivateData(message.privateData())
                    .withResponderResources(message.initiatorDepth())
                    .withInitiatorDepth(message.responderResources())
                    .withRetryCount(retryCount)
                    .withRnrRetryCount(rnrRetryCount)
                    .withSrq(message.srq() != 0)
                    .withQpNum(message.qpNum());
            tell(CmEventType.CONNECT_RESPONSE, 0, conn);
        } else if (isFrom(source, message.localId())) {
            if (state == State.ESTABLISHED && active) {
                send(readyToUse());
            } else if (state == State.REP_RCVD) {
                send(moreTime(OF_REP));
            }
        }
    }

    void onRtu(int sender, Gid source) {
        if (isFrom(source, sender)) {
            if (probing) {
                stopProbing();
            }
            communicating();
        }
    }

    /** The peer has received the reply, as shown by an RTU or by a packet on the connection. */
    void communicating() {
        if (state == State.REP_SENT) {
            answered();
            engine.confirmed(this);
            handshakeEnded();
            established();
            tell(CmEventType.ESTABLISHED, 0, null);
        }
    }

    private void handshakeEnded() {
        if (end != null) {
            end.handshakeEnded(this);
        }
    }

    void onDreq(Dreq dreq, Gid source) {
        if (!isFrom(source, dreq.localId()) || dreq.remoteQpNum() != localQpn) {
            return;
        }
        switch (state) {
            case REP_SENT, ESTABLISHED, DREQ_SENT -> {
                send(engine.confirmation(dreq));
                disconnected(0);
            }
            case TIMEWAIT -> send(engine.confirmation(dreq));
            default -> {
                // not that far
            }
        }
    }

    void onDrep(Drep drep, Gid source) {
        if (state == State.DREQ_SENT && isFrom(source, drep.localId())) {
            disconnected(0);
        } else if (state == State.ESTABLISHED && keepAlive != null && isFrom(source)) {
            keepAlive.answered(drep);
        }
    }

    void onRej(Rej rej, Gid source) {
        boolean known = isFrom(source, rej.localId());
        switch (state) {
            case REQ_SENT -> {
                if (isFrom(source)) {
                    rejected(rej);
                }
            }
            case REQ_RCVD, REP_RCVD, REP_SENT -> {
                if (known) {
                    rejected(rej);
                }
            }
            case ESTABLISHED, DREQ_SENT -> {
                if (known) {
                    disconnected(0);
                }
            }
            default -> {
                // has ended
            }
        }
    }

    private void rejected(Rej rej) {
        ConnParam conn = ConnParam.DEFAULT.withPrivateData(rej.privateData());
        remove();
        tell(CmEventType.REJECTED, rej.reason(), conn);
    }

    /**
     * Called when another request names the queue pair of this connection. Probes the peer, because nobody else's word
     * counts.
     */
    void onStale() {
        if (state == State.ESTABLISHED && !active && !probing) {
            probing = true;
            repeat(rep, PROBES); // a peer that still has the connection answers RTU
        }
    }

    private void stopProbing() {
        if (probing) {
            probing = false;
            answered();
        }
    }

    /**
     * Handles a REJ that identifies this connection only by its requester. The sender never learned an id of this side,
     * because it has not received a reply.
     */
    void onRejOfRequester(Rej rej, Gid source) {
        if (state == State.REQ_RCVD || state == State.REP_SENT) {
            onRej(rej, source);
        }
    }

    /** Gives up a peer that has not confirmed, to make room for others. */
    void giveUp() {
        answered();
        unanswered();
    }

    // ---- timeouts

    @Override
    void unanswered() {
        switch (state) {
            case REQ_SENT -> {
                Rej rej = rejection(OF_NONE, RejectReason.TIMEOUT, new byte[0]);
                rej.infoGuid(engine.guid());
                send(rej);
                remove();
                tell(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT, null);
            }
            case REP_SENT -> {
                send(rejection(OF_REP, RejectReason.TIMEOUT, new byte[0]));
                remove();
                tell(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT, null);
            }
            case ESTABLISHED, DREQ_SENT -> disconnected(-Errno.ETIMEDOUT);
            default -> {
                // waits for nothing
            }
        }
    }

    @Override
    void elapsed() {
        if (state == State.TIMEWAIT) {
            remove();
            tell(CmEventType.TIMEWAIT_EXIT, 0, null);
        }
    }

    private void disconnected(int status) {
        probing = false;
        keepAlive(0);
        answered();
        engine.confirmed(this);
        handshakeEnded();
        engine.forgetQueuePair(this);
        state = State.TIMEWAIT;
        engine.scheduleOnGrid(this, CmTime.timewait(ackTimeout));
        tell(CmEventType.DISCONNECTED, status, null);
    }

    private void remove() {
        keepAlive(0);
        state = State.IDLE;
        answered();
        engine.remove(this);
        if (end != null) {
            end.connectionEnded(this);
        }
    }

    private void tell(int type, int status, ConnParam conn) {
        if (end != null) {
            end.tell(type, status, conn, null, null);
        }
    }
}
