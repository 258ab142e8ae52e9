/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.QpState;
import io.verbs4j.SendFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.flight.FlightRecording;
import io.verbs4j.provider.rxe.qp.RnrTimer;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.provider.rxe.queue.CrossRequest;
import io.verbs4j.provider.rxe.queue.ScatterList;
import io.verbs4j.provider.rxe.queue.SendQueue;
import io.verbs4j.provider.rxe.queue.SendWqe;
import io.verbs4j.provider.rxe.share.RingWriter;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.PsnMath;

/**
 * The sending half of RC: makes packets of the send queue, keeps them until they are acknowledged, and sends them again.
 * Guarded by the send lock.
 *
 * <pre>
 *      una                nextPsn            endPsn
 *       |  under way         |  to be repeated  |  never sent
 * </pre>
 *
 * <p>Nothing is kept but these numbers: a packet that is sent again is made again. {@code una} lies in the work request at
 * the send queue's {@code done}, {@code nextPsn} in the one at its {@code next}; to go back is to set both to the former.
 */
final class RcRequester {
    /** At least every so many packets ask for an acknowledgement. */
    private static final int ACK_EVERY = 32;

    /** How long packets may wait for others to be sent with, where an answer to earlier ones is awaited. */
    private static final long HOLD_NANOS = 1_000_000;

    /** The time to wait doubles so often when no answer comes: up to four times the timeout is allowed. */
    private static final int BACK_OFF = 2;

    /** From so many timeouts in a row on, packets are sent twice. */
    private static final int TWICE_FROM = 3;

    private static final long NEVER = Long.MAX_VALUE;

    /** Messages of fewer bytes, or what is left of them, go as packets: to look into the other process costs as much. */
    private static final int LEAST_SPAN = 8 << 10;

    /** Most packets under way where no buffer but the ring can overflow, which is looked at. */
    private static final int RING_WINDOW = 1 << 16;

    /** How long a full ring is left alone. */
    private static final long ROOM_NANOS = 100_000;

    private final RxeQueuePair qp;
    private final SendQueue sq;
    private final PacketOutput out;
    private final RequestWriter writer;

    /** What is taken along where packets leave: the other half's acknowledgement. */
    private final RcResponder responder;

    private final AcknowledgeWriter acks;
    private final SendWindow window;
    private final ReadRequests reads = new ReadRequests();
    private final TransportCounters counters;
    private final int mtu;

    /** Most packets that one request asks for. */
    private final int readPart;

    /** Whether messages go as spans where there is a ring: XRC's receivers may be of other processes. */
    private final boolean spans;

    /**
     * Whether the peer has taken the first of several packets, by which it has the same path MTU: a span does not
     * tell it which.
     */
    private boolean mtuIsTaken;

    private boolean begun;
    private int una;
    private int nextPsn;
    private int endPsn;

    private int retries;
    private int rnrRetries;
    /** Whether what is missing was asked for again since something came last: many responses show that it is missing. */
    private boolean repeated;

    private boolean repeatedForNak;
    private boolean waitingForReceiver;
    private int localError;

    private final LostSpans lost = new LostSpans();

    /** PSN of the last packet made that is to be answered, and of the last one sent. */
    private int askedPsn;

    private int sentAskedPsn;
    private int sinceAsked;

    private boolean moved;
    private long ackDeadline = NEVER;
    private long rnrDeadline = NEVER;
    private long holdDeadline = NEVER;

    /** When more bytes may be sent. */
    private long paceDeadline = NEVER;

    RcRequester(RxeQueuePair qp, PacketOutput out, int service, RcResponder responder, TransportCounters counters) {
        this.qp = qp;
        this.sq = qp.sendQueue();
        this.out = out;
        this.mtu = qp.settings().mtu();
        this.writer = new RequestWriter(qp, out, service);
        this.responder = responder;
        this.acks = new AcknowledgeWriter(out, service);
        this.window = new SendWindow(mtu);
        this.readPart = window.size() / 2;
        this.counters = counters;
        this.spans = service == Opcode.RC;
    }

    int psn() {
        return begun ? endPsn : qp.settings().firstSqPsn();
    }

    // ---- sending

    /** Sends what may be sent now. */
    void run() {
        if (!begun) {
            begun = true;
            una = qp.settings().firstSqPsn() & PsnMath.MAX;
            nextPsn = una;
            endPsn = una;
            askedPsn = PsnMath.add(una, -1);
            sentAskedPsn = askedPsn;
            out.reach();
        }
        paceDeadline = NEVER;
        boolean blocked = waitingForReceiver || localError != 0 || sendAll();
        if (localError != 0 && sq.next() == sq.done()) {
            fail(localError); // all before it has been answered
            return;
        }
        if (out.isEmpty()) {
            out.flush(); // all has left as the batch was full: it goes back
        } else {
            sendOrHold(blocked);
        }
        watch();
        qp.drainedPerhaps();
    }

    /** Sends until nothing is left, which answers false, or nothing may be sent, which answers true. */
    private boolean sendAll() {
        while (sq.next() < sq.ready()) {
            SendWqe wqe = sq.at(sq.next());
            long delay = qp.sendDelay(payload(wqe));
            if (delay > 0) {
                paceDeadline = qp.now() + delay;
                return true;
            }
            if (!wqe.started && !begin(wqe)) {
                return true;
            }
            if (wqe.isLocal()) {
                sq.advanceNext();
                completeLocal();
            } else if (!(wqe.isAnswered() ? sendRead(wqe) : sendData(wqe))) {
                return true;
            }
        }
        return false;
    }

    /** Gives a work request its PSNs; false where it may not begin yet, or never. */
    private boolean begin(SendWqe wqe) {
        if (qp.state() != QpState.RTS || wqe.has(SendFlags.FENCE) && reads.count() > 0) {
            return false; // SQD finishes what was begun only
        }
        if (wqe.isLocal()) {
            return execute(wqe);
        }
        // A single packet of data is checked when it is made; of several the first would have left before the last is.
        if ((wqe.isAnswered() || wqe.data.total() > mtu) && !wqe.data.isAllowed(qp.keys(), qp.pd(), wqe.isAnswered())) {
            localError = WcStatus.LOC_PROT_ERR;
            return false;
        }
        if (!qp.canTakeBack(wqe)) {
            localError = WcStatus.LOC_QP_OP_ERR;
            return false;
        }
        wqe.started = true;
        wqe.firstPsn = nextPsn;
        wqe.lastPsn = PsnMath.add(nextPsn, Psn.packets(wqe.data.total(), mtu) - 1);
        return true;
    }

    /** Carries out what is this side's alone; false where it is not its turn, or it fails. */
    private boolean execute(SendWqe wqe) {
        if (wqe.opcode == WrOpcode.LOCAL_INV && sq.next() != sq.done()) {
            return false; // all before it must have completed
        }
        int status = qp.execute(wqe);
        if (status == CrossRequest.WAITS) {
            return false;
        }
        if (status != WcStatus.SUCCESS) {
            localError = status;
            return false;
        }
        wqe.started = true; // not again after going back
        return true;
    }

    /** Bytes of the next packet that are sent. */
    private long payload(SendWqe wqe) {
        if (wqe.isLocal()) {
            return 0;
        }
        long before = wqe.started ? (long) Psn.steps(wqe.firstPsn, nextPsn) * mtu : 0;
        return Math.min(mtu, wqe.outgoing() - before);
    }

    private boolean sendData(SendWqe wqe) {
        int underWay = Psn.steps(una, nextPsn);
        RingWriter ring = out.ring();
        int limit = ring != null && spans ? RING_WINDOW : window.size();
        if (underWay >= limit) {
            return false;
        }
        boolean hurries = false;
        if (ring != null) {
            if (underWay > 0 && !ring.hasRoom()) {
                paceDeadline = qp.now() + ROOM_NANOS;
                return false;
            }
            hurries = !ring.hasPlenty();
            if (spans && wqe.data.total() >= LEAST_SPAN && mayLend(wqe)) {
                int written = sendSpan(ring, wqe);
                if (written != RequestWriter.NO_SPAN) {
                    return written == RequestWriter.SPAN_WRITTEN;
                }
            }
        }
        boolean last = nextPsn == wqe.lastPsn;
        qp.sent(payload(wqe));
        boolean paused = qp.sendDelay(mtu) > 0; // an answer would be awaited meanwhile
        boolean ask = last || ++sinceAsked >= ACK_EVERY || underWay + 1 >= limit || paused || hurries;
        if (!writer.writeData(wqe, Psn.steps(wqe.firstPsn, nextPsn), nextPsn, ask)) {
            localError = WcStatus.LOC_PROT_ERR;
            return false;
        }
        if (ask) {
            asked(nextPsn);
        }
        advance(1, last);
        return true;
    }

    /**
     * Whether what comes next of a request may be lent; the first packet goes as such until the peer has taken the path
     * MTU.
     */
    private boolean mayLend(SendWqe wqe) {
        return (mtuIsTaken || nextPsn != wqe.firstPsn)
                && qp.settings().retryCnt() > 0
                && !qp.isLimited()
                && lost.allows(nextPsn);
    }

    /** Sends as much as a span may stand for; they begin at the same places each time, as far as packets do. */
    private int sendSpan(RingWriter ring, SendWqe wqe) {
        int index = Psn.steps(wqe.firstPsn, nextPsn);
        int most = RingWriter.SPAN_BYTES / mtu;
        long offset = (long) index * mtu;
        long bytes = Math.min(wqe.data.total() - offset, (long) (most - index % most) * mtu);
        if (bytes < LEAST_SPAN) {
            return RequestWriter.NO_SPAN;
        }
        int written = writer.writeSpan(ring, wqe, index, bytes, nextPsn, true);
        if (written == RequestWriter.SPAN_REFUSED) {
            localError = WcStatus.LOC_PROT_ERR;
        } else if (written == RequestWriter.SPAN_WRITTEN) {
            int packets = Psn.packets(bytes, mtu);
            lost.lent(ring, nextPsn);
            asked(PsnMath.add(nextPsn, packets - 1));
            advance(packets, offset + bytes == wqe.data.total());
        }
        return written;
    }

    private boolean sendRead(SendWqe wqe) {
        // The peer has no place that a flush would take away from reads.
        if (!reads.hasRoom(
                wqe.opcode == WrOpcode.FLUSH ? Integer.MAX_VALUE : qp.settings().maxRdAtomic())) {
            return false;
        }
        int underWay = Psn.steps(una, nextPsn);
        if (!wqe.isRead()) {
            if (underWay >= window.size()) {
                return false;
            }
            writer.writeAnswered(wqe, nextPsn);
            requested(1, true);
            return true;
        }
        // A large read is asked for in parts, so that the answers don't overflow this side's receive buffer. Their
        // bounds
        // are always the same: a part asked for again must not reach beyond what the peer may have executed.
        int index = Psn.steps(wqe.firstPsn, nextPsn);
        int left = Psn.steps(nextPsn, wqe.lastPsn) + 1;
        int packets = Math.min(left, readPart - index % readPart);
        if (underWay > 0 && underWay + packets > window.size()) {
            return false;
        }
        long offset = (long) index * mtu;
        long bytes = Math.min(wqe.data.total() - offset, (long) packets * mtu);
        writer.writeRead(wqe, offset, bytes, nextPsn);
        requested(packets, packets == left);
        return true;
    }

    private void requested(int packets, boolean last) {
        int lastPsn = PsnMath.add(nextPsn, packets - 1);
        reads.add(lastPsn);
        asked(lastPsn);
        advance(packets, last);
    }

    private void asked(int psn) {
        askedPsn = psn;
        sinceAsked = 0;
    }

    private void advance(int packets, boolean last) {
        nextPsn = PsnMath.add(nextPsn, packets);
        if (PsnMath.diff(nextPsn, endPsn) > 0) {
            endPsn = nextPsn;
        }
        if (last) {
            sq.advanceNext();
        }
        if (out.isEmpty()) {
            sentAskedPsn = askedPsn;
        }
    }

    /**
     * Sends what was made, unless an answer to an earlier packet is awaited: then more may come until it is there, and all
     * goes out together. It does not wait where more can't come, and not for long.
     */
    private void sendOrHold(boolean blocked) {
        if (blocked || PsnMath.diff(sentAskedPsn, una) < 0 || out.isScarce() || out.ring() != null) {
            flush();
        } else if (holdDeadline == NEVER) {
            holdDeadline = qp.now() + HOLD_NANOS;
        }
    }

    /** Whether packets wait to be sent with others. */
    boolean holds() {
        return holdDeadline != NEVER;
    }

    void flush() {
        if (!out.isEmpty()) {
            responder.answerLeaves(acks);
        }
        out.flush();
        sentAskedPsn = askedPsn;
        holdDeadline = NEVER;
    }

    // ---- what has come there

    /** Whether a PSN is one that an answer is awaited for. */
    boolean awaits(int psn) {
        return begun && Psn.steps(una, psn) < Psn.steps(una, endPsn);
    }

    /** The work request that the first packet without an answer is of; there is one. */
    SendWqe oldest() {
        return sq.at(sq.done());
    }

    int una() {
        return una;
    }

    /**
     * Takes note that everything before a PSN has come there, and completes what is complete by that.
     *
     * @param psn an awaited one, or the one after
     * @return false where the answer to a read or an atomic before it is missing
     */
    boolean arrivedBefore(int psn) {
        int left = Psn.steps(una, psn);
        int arrived = 0;
        boolean whole = true;
        while (left > 0) {
            SendWqe wqe = oldest();
            if (wqe.isAnswered()) {
                whole = false;
                break;
            }
            mtuIsTaken |= wqe.firstPsn != wqe.lastPsn;
            int rest = Psn.steps(una, wqe.lastPsn) + 1;
            int n = Math.min(left, rest);
            arrived += n;
            left -= n;
            una = PsnMath.add(una, n);
            if (n == rest) {
                complete(wqe);
            }
        }
        if (arrived > 0) {
            progress(arrived);
        }
        return whole;
    }

    /** Takes note that the answer for {@link #una()} has come, to what gets one of its own. */
    void answered(SendWqe wqe) {
        boolean last = una == wqe.lastPsn;
        if (last && !qp.takeBack(wqe)) {
            fail(WcStatus.LOC_QP_OP_ERR);
            return;
        }
        if (wqe.opcode == WrOpcode.FLUSH && !repeated) {
            writer.flushTaken();
        }
        una = PsnMath.next(una);
        if (last) {
            complete(wqe);
        }
        progress(1);
    }

    private void complete(SendWqe wqe) {
        qp.completeSend(WcStatus.SUCCESS, (int) wqe.data.total());
        completeLocal();
    }

    /** What is this side's alone was executed before what follows was sent. After going back, next may lie before it. */
    private void completeLocal() {
        while ((sq.done() < sq.next() || una != endPsn) && oldest().isLocal() && oldest().started) {
            qp.completeSend(WcStatus.SUCCESS, 0);
        }
    }

    private void progress(int packets) {
        retries = 0;
        rnrRetries = 0;
        repeated = false;
        repeatedForNak = false;
        moved = true;
        waitingForReceiver = false;
        rnrDeadline = NEVER;
        window.arrived(packets);
        lost.arrivedBefore(una);
        reads.answeredBefore(una);
        if (PsnMath.diff(una, nextPsn) > 0) {
            nextPsn = una; // it need not be repeated after all
        }
    }

    // ---- what has not

    /** A response came that shows that one before it is missing. */
    void missing() {
        if (!repeated && !waitingForReceiver) {
            counters.count(TransportCounters.IMPLIED_NAK);
            repeat(false);
        }
    }

    /** The peer misses the packet at {@link #una()}. */
    void sequenceNak() {
        counters.count(TransportCounters.SEQUENCE_NAK);
        boolean otherwise = una != endPsn && lost.missed(una, oldest().lastPsn);
        if ((otherwise || !repeatedForNak) && !waitingForReceiver) {
            repeatedForNak = true;
            repeat(false);
        }
    }

    /** The peer had no receive work request for {@link #una()}. */
    void receiverNotReady(int timerCode) {
        counters.count(TransportCounters.RNR_NAK);
        if (waitingForReceiver) {
            return;
        }
        if (qp.settings().rnrRetry() != 7 && rnrRetries++ >= qp.settings().rnrRetry()) {
            fail(WcStatus.RNR_RETRY_EXC_ERR);
            return;
        }
        goBack();
        waitingForReceiver = true;
        ackDeadline = NEVER;
        rnrDeadline = qp.now() + RnrTimer.nanos(timerCode);
    }

    /** Fails the work request at the head of the queue, and the queue pair. */
    void fail(int status) {
        flush();
        writer.recall();
        qp.failSend(status);
    }

    /**
     * Sends again, unless that was tried often enough. What is counted is timeouts: a NAK shows that the peer lives, and
     * between two timeouts it makes this side go back once.
     */
    private void repeat(boolean timeout) {
        int limit = qp.settings().retryCnt();
        if (timeout ? retries++ >= limit : limit == 0) {
            fail(WcStatus.RETRY_EXC_ERR);
            return;
        }
        window.lost();
        if (una != endPsn && oldest().opcode == WrOpcode.FLUSH) {
            writer.flushLost();
        }
        goBack();
        ackDeadline = NEVER; // set anew when the packets are sent
    }

    private void goBack() {
        counters.count(TransportCounters.GO_BACK);
        FlightRecording.sentAgain(qp.qpNum(), PsnMath.diff(nextPsn, una), retries);
        repeated = true;
        nextPsn = una;
        sq.rewindNext(sq.done());
        reads.clear();
        localError = 0;
        sinceAsked = 0;
        lost.repeats();
    }

    // ---- time

    /** Sets the time by which an answer must be there, anew when one was. */
    private void watch() {
        if (una == endPsn || waitingForReceiver) {
            ackDeadline = NEVER;
        } else if (moved || ackDeadline == NEVER) {
            long timeout = qp.settings().timeoutNanos();
            ackDeadline = timeout == 0 ? NEVER : qp.now() + (timeout << Math.min(retries, BACK_OFF));
        }
        moved = false;
    }

    /** The earliest time at which {@link #onTimer} has something to do. */
    long deadline() {
        return Math.min(Math.min(ackDeadline, rnrDeadline), Math.min(holdDeadline, paceDeadline));
    }

    /** Does what is due. An answer is late only where it has not come though all that came by then has been taken in. */
    void onTimer(long now, long seen) {
        if (holdDeadline != NEVER && now - holdDeadline >= 0) {
            flush();
        }
        if (rnrDeadline != NEVER && now - rnrDeadline >= 0) {
            rnrDeadline = NEVER;
            waitingForReceiver = false;
            run();
        } else if (ackDeadline != NEVER && seen - ackDeadline >= 0) {
            counters.count(TransportCounters.TIMEOUT);
            ackDeadline = NEVER;
            repeatedForNak = false;
            repeat(true);
            if (isWorking()) {
                run();
            }
            if (isWorking() && retries >= TWICE_FROM) {
                goBack(); // much is lost here: each is sent twice, so that the retries do not run out by bad luck
                run();
            }
        }
        if (isWorking() && paceDeadline - now <= 0) {
            run();
        }
    }

    private boolean isWorking() {
        return qp.state() == QpState.RTS || qp.state() == QpState.SQD;
    }

    /** Ends: what was made is sent still, then nothing more. */
    void stop() {
        flush();
        writer.recall();
        begun = false;
        reads.clear();
        lost.clear();
        waitingForReceiver = false;
        localError = 0;
        retries = 0;
        rnrRetries = 0;
        ackDeadline = NEVER;
        rnrDeadline = NEVER;
        paceDeadline = NEVER;
    }

    /** Writes what a read or an atomic brought into local memory; false where a key does not allow it. */
    boolean deliver(SendWqe wqe, long offset, long from, int bytes) {
        return bytes == 0 || wqe.data.scatter(qp.keys(), qp.pd(), offset, from, bytes) == ScatterList.OK;
    }

    int mtu() {
        return mtu;
    }
}
