/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.QpState;
import io.verbs4j.SendFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.flight.FlightRecording;
import io.verbs4j.provider.rxe.memory.RemoteMemory;
import io.verbs4j.provider.rxe.qp.RnrTimer;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.queue.CrossRequest;
import io.verbs4j.provider.rxe.queue.ScatterList;
import io.verbs4j.provider.rxe.queue.SendQueue;
import io.verbs4j.provider.rxe.queue.SendWqe;
import io.verbs4j.provider.rxe.share.Receipt;
import io.verbs4j.provider.rxe.share.RingWriter;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.PsnMath;

/**
 * The sending half of RC: creates packets from the send queue, keeps track of them until they are acknowledged, and
 * repeats them. Guarded by the send lock.
 *
 * <pre>
 *      una                nextPsn            endPsn
 *       |  outstanding       |  to be repeated  |  never sent
 * </pre>
 *
 * <p>Only these numbers are kept: a packet that is repeated is created again. {@code una} lies in the work request at
 * the send queue's {@code done}, {@code nextPsn} in the one at its {@code next}; going back sets both to the former.
 */
// Longer than 500 lines because sending, acknowledging and repeating move the same three PSNs, and each of them depends
// on what the others left.
final class RcRequester {
    /** At least one of this many packets requests an acknowledgement. */
    private static final int ACK_EVERY = 32;

    /** How long packets may wait to be sent with others while an answer to earlier ones is awaited. */
    private static final long HOLD_NANOS = 1_000_000;

    /** How often the timeout doubles while no answer comes: up to four times the timeout is allowed. */
    private static final int BACK_OFF = 2;

    /** After this many consecutive timeouts, packets are sent twice. */
    private static final int TWICE_FROM = 3;

    /** Timeouts longer than this may begin some milliseconds late, which saves the time to read the clock. */
    private static final long COARSE_NANOS = 60_000_000;

    private static final long NEVER = Long.MAX_VALUE;

    /**
     * Messages with fewer bytes, or remainders of them, go as packets, because accessing the other process costs as
     * much.
     */
    static final int LEAST_SPAN = 8 << 10;

    /** Maximum number of outstanding packets if only the ring can overflow, which is checked. */
    private static final int RING_WINDOW = 1 << 16;

    /** How long a full ring is left alone. */
    private static final long ROOM_NANOS = 100_000;

    private final RcPath path;
    private final RxeQp qp;
    private final SendQueue sq;
    private final PacketOutput out;
    private final RequestWriter writer;

    /** The other half, whose acknowledgement goes along with packets that are sent. */
    private final RcResponder responder;

    private final AcknowledgeWriter acks;
    private final SendWindow window;
    private final ReadRequests reads = new ReadRequests();
    private final TransportCounters counters;
    private final int mtu;

    /** Maximum number of packets that one request asks for. */
    private final int readPart;

    /** Whether the last answer to a large read was lent, so that no receive buffer holds many of its packets. */
    private boolean answersAreLent;

    /** Whether messages go as spans if there is a ring; not with XRC, whose receivers may be in other processes. */
    private final boolean spans;

    /**
     * Whether the peer has accepted the first of several packets, which shows that it has the same path MTU: a span
     * does not convey it.
     */
    private boolean mtuIsTaken;

    /** Where the peer acknowledges data that went through a ring; null if by packets only. */
    private volatile Receipt receipt;

    /**
     * Whether the program can notice that what is under way has been acknowledged, or something waits for it. Otherwise
     * nobody looks at the receipt, because that makes the next one cost the peer as much as a packet.
     */
    private boolean matters;

    private boolean begun;
    private int una;
    private int nextPsn;
    private int endPsn;

    private int retries;
    private int rnrRetries;
    /**
     * Whether the missing packets were requested again since the last progress: many responses show that they are
     * missing.
     */
    private boolean repeated;

    private boolean repeatedForNak;
    private boolean waitingForReceiver;
    private int localError;

    private final LostSpans lost = new LostSpans();

    /** PSN of the last packet created that requests an answer, and of the last one sent. */
    private int askedPsn;

    private int sentAskedPsn;
    private int sinceAsked;

    private boolean moved;
    private long ackDeadline = NEVER;
    private long rnrDeadline = NEVER;
    private long holdDeadline = NEVER;

    /** When more bytes may be sent. */
    private long paceDeadline = NEVER;

    RcRequester(RcPath path, PacketOutput out, int service, RcResponder responder, TransportCounters counters) {
        this.path = path;
        this.qp = path.qp;
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

    /** Sends whatever may be sent now. */
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
        boolean blocked = sendUnlessBlocked();
        if (blocked && !matters) {
            awaitReceipt(); // nobody has looked whether what it waits for has been acknowledged
            blocked = sendUnlessBlocked();
        }
        if (localError != 0 && sq.next() == sq.done()) {
            fail(localError); // everything before it has been answered
            return;
        }
        if (out.isEmpty()) {
            out.flush(); // everything was sent when the batch was full: returns the batch
        } else {
            sendOrHold(blocked);
        }
        watch();
        qp.drainedPerhaps();
    }

    /** Sends what may be sent now; returns whether something must happen before the rest may be. */
    private boolean sendUnlessBlocked() {
        return waitingForReceiver || localError != 0 || sendAll();
    }

    /** Sends until nothing is left and returns false, or until nothing more may be sent and returns true. */
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
            matters |= qp.reports(wqe);
            if (wqe.isLocal()) {
                sq.advanceNext();
                completeLocal();
            } else if (!(wqe.isAnswered() ? sendRead(wqe) : sendData(wqe))) {
                return true;
            }
        }
        return false;
    }

    /** Assigns PSNs to a work request; returns false if it may not begin yet, or never. */
    private boolean begin(SendWqe wqe) {
        if (qp.state() != QpState.RTS || wqe.has(SendFlags.FENCE) && reads.count() > 0) {
            return false; // SQD only finishes what was begun
        }
        if (wqe.isLocal()) {
            return execute(wqe);
        }
        // A single packet of data is checked when it is created; of several, the first would be sent before the last is
        // checked.
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

    /** Carries out a request that concerns only this side; returns false if it must wait, or fails. */
    private boolean execute(SendWqe wqe) {
        if (wqe.opcode == WrOpcode.LOCAL_INV && sq.next() != sq.done()) {
            return false; // everything before it must have completed
        }
        int status = qp.execute(wqe);
        if (status == CrossRequest.WAITS) {
            return false;
        }
        if (status != WcStatus.SUCCESS) {
            localError = status;
            return false;
        }
        wqe.started = true; // so that it is not repeated after going back
        return true;
    }

    /** Returns the number of payload bytes of the next packet. */
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
                if (written != RequestWriter.NOT_WRITTEN) {
                    return written == RequestWriter.WRITTEN;
                }
            }
        }
        boolean last = nextPsn == wqe.lastPsn;
        qp.sent(payload(wqe));
        boolean paused = qp.sendDelay(mtu) > 0; // an answer would be awaited meanwhile
        boolean ask = last || ++sinceAsked >= ACK_EVERY || underWay + 1 >= limit || paused || hurries;
        int index = Psn.steps(wqe.firstPsn, nextPsn);
        int written = ring == null
                ? RequestWriter.NOT_WRITTEN
                : writer.writeData(
                        ring,
                        wqe,
                        index,
                        nextPsn,
                        ask,
                        ask ? receiptOf(ring) : null,
                        !last || sq.next() + 1 < sq.ready());
        if (written == RequestWriter.REFUSED
                || written == RequestWriter.NOT_WRITTEN && !writer.writeData(wqe, index, nextPsn, ask)) {
            localError = WcStatus.LOC_PROT_ERR;
            return false;
        }
        if (ask) {
            asked(nextPsn);
        }
        advance(1, last);
        return true;
    }

    /** Returns where the peer may acknowledge what goes through a ring; null if by packets only. */
    private Receipt receiptOf(RingWriter ring) {
        Receipt now = receipt;
        if (now == null || !now.isOf(ring)) {
            closeReceipt();
            now = spans ? ring.receipt() : null;
            receipt = now;
        }
        return now != null && path.awaitsReceipts() ? now : null;
    }

    private void closeReceipt() {
        Receipt now = receipt;
        receipt = null;
        if (now != null) {
            now.close();
        }
    }

    /**
     * Returns whether the next part of a request may be lent. The first packet is sent as such until the peer has
     * accepted the path MTU.
     */
    private boolean mayLend(SendWqe wqe) {
        return (mtuIsTaken || nextPsn != wqe.firstPsn)
                && qp.settings().retryCnt() > 0
                && !qp.isLimited()
                && lost.allows(nextPsn);
    }

    /** Sends as much as one span may stand for. As with packets, spans begin at the same places each time. */
    private int sendSpan(RingWriter ring, SendWqe wqe) {
        int index = Psn.steps(wqe.firstPsn, nextPsn);
        int most = RingWriter.SPAN_BYTES / mtu;
        long offset = (long) index * mtu;
        long bytes = Math.min(wqe.data.total() - offset, (long) (most - index % most) * mtu);
        if (bytes < LEAST_SPAN) {
            return RequestWriter.NOT_WRITTEN;
        }
        int written = writer.writeSpan(ring, wqe, index, bytes, nextPsn, true);
        if (written == RequestWriter.REFUSED) {
            localError = WcStatus.LOC_PROT_ERR;
        } else if (written == RequestWriter.WRITTEN) {
            int packets = Psn.packets(bytes, mtu);
            lost.lent(ring, nextPsn);
            asked(PsnMath.add(nextPsn, packets - 1));
            advance(packets, offset + bytes == wqe.data.total());
        }
        return written;
    }

    private boolean sendRead(SendWqe wqe) {
        // A flush takes none of the peer's places for reads.
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
        // A large read is requested in parts, so that the answers don't overflow this side's receive buffer. The bounds
        // of the parts never change: a repeated part must not extend beyond what the peer may have executed.
        int index = Psn.steps(wqe.firstPsn, nextPsn);
        int left = Psn.steps(nextPsn, wqe.lastPsn) + 1;
        int packets = Math.min(left, readPart - index % readPart);
        if (underWay > 0 && underWay + packets > (answersAreLent ? RING_WINDOW : window.size())) {
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
     * Sends the pending packets, unless an answer to an earlier packet is awaited: more packets may come until then,
     * and all are sent together. Does not wait if no more can come, and never for long.
     */
    private void sendOrHold(boolean blocked) {
        if (blocked || PsnMath.diff(sentAskedPsn, una) < 0 || out.isScarce() || out.ring() != null) {
            flush();
        } else if (holdDeadline == NEVER) {
            holdDeadline = qp.now() + HOLD_NANOS;
        }
    }

    /** {@return whether packets wait to be sent with others} */
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

    // ---- what has arrived

    /** Returns whether an answer is awaited for a PSN. */
    boolean awaits(int psn) {
        return begun && Psn.steps(una, psn) < Psn.steps(una, endPsn);
    }

    /** Returns the work request of the first packet without an answer; there must be one. */
    SendWqe oldest() {
        return sq.at(sq.done());
    }

    int una() {
        return una;
    }

    /**
     * Notes that everything before a PSN has arrived, and completes the requests that are complete.
     *
     * @param psn an awaited PSN, or the one after it
     * @return false if the answer to an earlier read or atomic is missing
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

    /** {@return whether the peer has written a receipt since {@link #takeReceipt}} Any thread may ask. */
    boolean hasReceipt() {
        Receipt now = matters ? receipt : null;
        return now != null && now.isNew();
    }

    /** As {@link #takeReceipt()}; from now on it matters what is acknowledged of what is under way. */
    void awaitReceipt() {
        matters = true;
        takeReceipt();
    }

    /** Takes the receipt, if there is one, as an acknowledgement. */
    void takeReceipt() {
        Receipt now = receipt;
        if (now == null) {
            return;
        }
        int psn = now.psn();
        if (psn == Receipt.NONE || !awaits(psn) || arrivedBefore(PsnMath.next(psn))) {
            now.settle();
        } // otherwise the answer to a read before it is still to be received
        matters &= una != endPsn;
        watch(); // the deadline of what has been acknowledged is over
    }

    /** {@return whether packets await an acknowledgement} */
    boolean isUnderWay() {
        return una != endPsn;
    }

    /** Notes how a large answer has come. */
    void answersAreLent(boolean lent) {
        answersAreLent = lent;
    }

    /**
     * Notes that the answer from {@link #una()} on has arrived, to a request that is answered individually.
     *
     * @param packets number of packets that it has, or stands for
     */
    void answered(SendWqe wqe, int packets) {
        int next = PsnMath.add(una, packets);
        boolean last = next == PsnMath.next(wqe.lastPsn);
        if (last && !qp.takeBack(wqe)) {
            fail(WcStatus.LOC_QP_OP_ERR);
            return;
        }
        if (wqe.opcode == WrOpcode.FLUSH && !repeated) {
            writer.flushTaken();
        }
        una = next;
        if (last) {
            complete(wqe);
        }
        progress(packets);
    }

    private void complete(SendWqe wqe) {
        qp.completeSend(WcStatus.SUCCESS, (int) wqe.data.total());
        completeLocal();
    }

    /**
     * Completes local requests, which were executed before what follows was sent. After going back, {@code next} may be
     * before them.
     */
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
            nextPsn = una; // need not be repeated after all
        }
    }

    // ---- what has not arrived

    /** Handles a response that shows that an earlier one is missing. */
    void missing() {
        if (!repeated && !waitingForReceiver) {
            counters.count(TransportCounters.IMPLIED_NAK);
            repeat(false);
        }
    }

    /**
     * Handles an answer to a read that was lent, and taken back before it was copied. It is requested again, however
     * few retries there are: nothing was lost on the way, and a repeated read is answered in packets.
     */
    void answerTakenBack() {
        if (!repeated) {
            goBack();
            ackDeadline = NEVER;
        }
    }

    /** Handles a NAK: the peer misses the packet at {@link #una()}. */
    void sequenceNak() {
        counters.count(TransportCounters.SEQUENCE_NAK);
        boolean otherwise = una != endPsn && lost.missed(una, oldest().lastPsn);
        if ((otherwise || !repeatedForNak) && !waitingForReceiver) {
            repeatedForNak = true;
            repeat(false);
        }
    }

    /** Handles a NAK: the peer had no receive work request for {@link #una()}. */
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
        closeReceipt(); // what fails was not acknowledged
        flush();
        writer.recall();
        qp.failSend(status);
    }

    /**
     * Repeats packets, unless that was tried often enough. Only timeouts count: a NAK shows that the peer is alive, and
     * makes this side go back at most once between two timeouts.
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
        ackDeadline = NEVER; // set again when the packets are sent
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

    /** Sets the deadline of the next answer, again after each progress. */
    private void watch() {
        if (una == endPsn || waitingForReceiver) {
            ackDeadline = NEVER;
        } else if (moved || ackDeadline == NEVER) {
            long timeout = qp.settings().timeoutNanos();
            long start = timeout > COARSE_NANOS ? qp.soon() : qp.now();
            ackDeadline = timeout == 0 ? NEVER : start + (timeout << Math.min(retries, BACK_OFF));
        }
        moved = false;
    }

    /** {@return the earliest time at which {@link #onTimer} has something to do} */
    long deadline() {
        return Math.min(Math.min(ackDeadline, rnrDeadline), Math.min(holdDeadline, paceDeadline));
    }

    /** Does what is due. An answer is late only if everything that had arrived by its deadline has been processed. */
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
                goBack(); // many packets are lost here: sent twice, so that the retries do not run out by bad luck
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

    /** Stops: sends the packets created so far, then nothing more. */
    void stop() {
        takeReceipt(); // what the peer has taken is not flushed
        closeReceipt();
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

    /** Stores the result of a read or an atomic in local memory; returns false if a key does not allow it. */
    boolean deliver(SendWqe wqe, long offset, long from, int bytes) {
        return bytes == 0 || wqe.data.scatter(qp.keys(), qp.pd(), offset, from, bytes) == ScatterList.OK;
    }

    /** Stores what a read found in memory of another process; returns a constant of {@link ScatterList}. */
    int deliver(SendWqe wqe, long offset, RemoteMemory from) {
        return wqe.data.scatter(qp.keys(), qp.pd(), offset, from);
    }

    int mtu() {
        return mtu;
    }
}
