/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompCntrOps;
import io.verbs4j.EventType;
import io.verbs4j.QpState;
import io.verbs4j.WcStatus;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.qp.InboundMessage;
import io.verbs4j.provider.rxe.qp.Inbox;
import io.verbs4j.provider.rxe.qp.RemoteOperations;
import io.verbs4j.provider.rxe.qp.RemoteQueues;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.MaskedAtomicEth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import io.verbs4j.provider.rxe.wire.PsnMath;

/**
 * The receiving half of RC and XRC: accepts requests in the order of their PSNs, executes each once and answers it.
 * Guarded by the receive lock.
 *
 * <p>Acknowledgements are delayed: at the end of a burst of packets, a single one for the last packet covers all. If a
 * polling program is known to answer, the acknowledgement waits for the answer; see {@link Answers}.
 */
// Longer than 500 lines because the order of PSNs, the execution of each request and its answer are one state machine
// under one lock, run for each packet.
final class RcResponder {
    private static final int NONE = -1;
    private static final int ATOMIC_BYTES = 8;

    private final RxeQp qp;
    private final InboundMessage message;
    private final ReadResponder reads;
    private final AcknowledgeWriter acks;
    private final TransportCounters counters;
    private final int mtu;
    private ResponderResources resources;

    private int expected;

    /** Number of packets accepted since the connection began: {@link #expected} without wrapping around. */
    private long taken;

    private int msn;
    private boolean stopped;

    private final RemoteOperations operations;

    /** Created with the first flush. */
    private FlushMemory flushes;

    /** The value that the last atomic found. */
    private long found;

    /** PSN of the last packet of the latest read or atomic, if any. */
    private int lastReadPsn;

    private boolean anyRead;

    private boolean ackPending;
    private int ackPsn;

    private final Answers answers = new Answers();

    /** Whether a program may answer its messages; not with XRC, where it has no queue pair to do so. */
    private final boolean answerable;

    /** Whether a receive has completed in this burst. */
    private boolean received;

    /** Syndrome of a pending NAK for the expected packet, or {@link #NONE}. */
    private int nakPending = NONE;

    /** Whether that NAK ends the connection; nothing more is accepted then. */
    private boolean failing;

    private int failureEvent;

    /** Whether the peer was told that the expected packet is missing or could not be received. */
    private boolean told;

    /** The latest packet of this burst that came while an earlier one was missing, if any. */
    private int beyondGap;

    private boolean gap;

    /** For reads and atomics. Messages have another one, because reads may be answered in the middle of a message. */
    private final Inbox inbox;

    RcResponder(RxeQp qp, PacketOutput out, int service, TransportCounters counters) {
        this.qp = qp;
        this.counters = counters;
        this.mtu = qp.settings().mtu();
        this.answerable = service == Opcode.RC;
        this.inbox = qp.newInbox();
        this.operations = new RemoteOperations(inbox);
        this.message = new InboundMessage(qp.newInbox());
        this.reads = new ReadResponder(inbox, out, service, qp::now);
        this.acks = new AcknowledgeWriter(out, service);
        this.resources = new ResponderResources(Math.max(1, qp.settings().maxDestRdAtomic()));
        this.expected = qp.settings().firstRqPsn() & PsnMath.MAX;
    }

    int psn() {
        return expected;
    }

    void onRequest(Packet packet) {
        if (stopped || failing) {
            counters.count(TransportCounters.WRONG_STATE);
            return;
        }
        int psn = packet.psn();
        int last = PsnMath.add(psn, span(packet) - 1);
        int ahead = PsnMath.diff(psn, expected);
        if (ahead < 0 && PsnMath.diff(last, expected) >= 0) {
            ahead = 1; // part of it arrived in packets with other bounds: the rest is missing
            told = false; // the peer, which repeats it from there on, has not been told so
        }
        if (ahead == 0) {
            qp.noteCommunication();
            execute(packet);
        } else if (ahead < 0) {
            counters.count(TransportCounters.DUPLICATE);
            repeat(packet, last);
        } else {
            counters.count(TransportCounters.OUT_OF_SEQUENCE);
            missed(last);
        }
    }

    /** Returns the number of packets that one stands for. */
    private int span(Packet packet) {
        return packet.remote() == null ? 1 : Psn.packets(packet.remote().bytes(), mtu);
    }

    /** Notes that a packet before this one is missing, or this one itself. */
    private void missed(int last) {
        if (!gap || PsnMath.diff(last, beyondGap) > 0) {
            beyondGap = last;
        }
        gap = true;
    }

    // ---- new requests

    private void execute(Packet packet) {
        int opcode = packet.opcode();
        if (Opcode.isReadRequest(opcode)) {
            read(packet);
        } else if (Opcode.isAtomicRequest(opcode)) {
            atomic(packet);
        } else if (opcode == Opcode.RC_ATOMIC_WRITE) {
            atomicWrite(packet);
        } else if (opcode == Opcode.RC_FLUSH) {
            flush(packet);
        } else {
            int result = message.accept(packet);
            switch (result) {
                case InboundMessage.OK -> messageTaken(packet, packet.ackReq());
                case InboundMessage.NOT_INVALIDATED -> {
                    // It has arrived, which is what the peer is told; the receiver is told the rest.
                    messageTaken(packet, true);
                    failing = true;
                    failureEvent = NONE;
                }
                case InboundMessage.LOST -> {
                    counters.count(TransportCounters.LOST_SPAN);
                    told = false;
                    missed(packet.psn());
                }
                case InboundMessage.NOT_READY -> {
                    nakPending = Aeth.rnrNak(qp.settings().minRnrTimerCode());
                    told = true; // what follows is not missing: it will be repeated
                }
                case InboundMessage.TOO_LONG -> {
                    message.fail(WcStatus.LOC_LEN_ERR);
                    fail(Aeth.NAK_INVALID_REQUEST, NONE);
                }
                case InboundMessage.PROTECTION -> {
                    message.fail(WcStatus.LOC_PROT_ERR);
                    fail(Aeth.NAK_REMOTE_OPERATIONAL_ERROR, NONE);
                }
                default -> refuse(result);
            }
        }
    }

    private void messageTaken(Packet packet, boolean acknowledged) {
        int packets = span(packet);
        taken(packets);
        int opcode = packet.opcode();
        if (Opcode.isEnd(opcode)) {
            msn = PsnMath.next(msn);
            received |= Opcode.isSend(opcode) || Opcode.hasImmDt(opcode);
        }
        // A receipt may overtake the answers to reads, for which its reader waits.
        if (ackPending || acknowledged && !packet.giveReceipt()) {
            ackPending = true;
            ackPsn = PsnMath.add(packet.psn(), packets - 1);
        }
    }

    private void refuse(int result) {
        switch (result) {
            case InboundMessage.UNTOLD, InboundMessage.GONE -> {
                message.fail(result == InboundMessage.GONE ? WcStatus.LOC_PROT_ERR : WcStatus.GENERAL_ERR);
                fail(reason(result), EventType.QP_FATAL);
            }
            case InboundMessage.ACCESS -> refuseAccess();
            default -> refuse();
        }
    }

    private static int reason(int result) {
        return switch (result) {
            case InboundMessage.UNTOLD, InboundMessage.GONE -> Aeth.NAK_REMOTE_OPERATIONAL_ERROR;
            case InboundMessage.ACCESS -> Aeth.NAK_REMOTE_ACCESS_ERROR;
            default -> Aeth.NAK_INVALID_REQUEST;
        };
    }

    private void taken(int packets) {
        taken += packets;
        expected = PsnMath.add(expected, packets);
        told = false;
        nakPending = NONE;
    }

    private void read(Packet packet) {
        long bytes = packet.rethLength();
        if (!canAnswer() || bytes > RxeQp.MAX_MESSAGE || !inbox.select(packet.xrcSrqNum())) {
            refuse();
            return;
        }
        if (refusesMore()) {
            return;
        }
        int result = reads.check(packet.xrcSrqNum(), packet.rethRkey(), packet.rethVa(), bytes);
        if (result != InboundMessage.OK) {
            refuse(result);
            return;
        }
        int packets = Psn.packets(bytes, mtu);
        resources().addRead(taken, packets, packet);
        reads.add(packet, packets, false);
        inbox.taken(CompCntrOps.REMOTE_RDMA_READ, bytes);
        answered(packets);
        sendReads();
    }

    private void atomic(Packet packet) {
        boolean masked = Opcode.hasMaskedAtomicEth(packet.opcode()); // including other widths
        if (!canAnswer()
                || !masked && (packet.atomicVa() & ATOMIC_BYTES - 1) != 0
                || !inbox.select(packet.xrcSrqNum())) {
            refuse();
            return;
        }
        if (refusesMore()) {
            return;
        }
        ResponderResources memory = resources(); // before anything is executed
        int result = inbox.remote() != null
                ? atomicThere(packet, inbox.remote())
                : masked ? maskedHere(packet) : atomicHere(packet);
        if (result != InboundMessage.OK) {
            refuse(result);
            return;
        }
        memory.addAtomic(taken, packet, found);
        reads.addAtomic(packet.psn(), found);
        answered(1);
        sendReads();
    }

    private ResponderResources resources() {
        int most = qp.settings().maxDestRdAtomic();
        if (resources.count() < most) { // the program has allowed more since
            resources = resources.withRoom(most);
        }
        return resources;
    }

    private static boolean swaps(Packet packet) {
        return Opcode.operation(packet.opcode()) == Opcode.RC_COMPARE_SWAP;
    }

    private int atomicHere(Packet packet) {
        int result = operations.atomic(
                packet.atomicRkey(), packet.atomicVa(), swaps(packet), packet.compare(), packet.swapAdd());
        found = operations.found();
        return result;
    }

    private int maskedHere(Packet packet) {
        int eth = packet.maskedAtomicEth();
        int result = operations.masked(
                packet.atomicRkey(),
                packet.atomicVa(),
                MaskedAtomicEth.width(packet.buffer(), eth),
                swaps(packet),
                MaskedAtomicEth.swapAdd(packet.buffer(), eth),
                MaskedAtomicEth.compare(packet.buffer(), eth),
                MaskedAtomicEth.swapMask(packet.buffer(), eth),
                MaskedAtomicEth.compareAddMask(packet.buffer(), eth));
        found = operations.found();
        return result;
    }

    private int atomicThere(Packet packet, RemoteQueues remote) {
        if (!inbox.grants(AccessFlags.REMOTE_ATOMIC)) {
            return InboundMessage.INVALID;
        }
        int result = remote.atomic(
                inbox.accessFlags(),
                packet.xrcSrqNum(),
                packet.atomicRkey(),
                packet.atomicVa(),
                swaps(packet),
                packet.compare(),
                packet.swapAdd());
        found = remote.found();
        return result;
    }

    private void atomicWrite(Packet packet) {
        if (!canAnswer() || packet.rethLength() != Long.BYTES || packet.payloadLength() != Long.BYTES) {
            refuse();
            return;
        }
        if (refusesMore()) {
            return;
        }
        ResponderResources memory = resources(); // before anything is executed
        long value = NativeMemory.getLong(packet.payload());
        int result = operations.write(packet.rethRkey(), packet.rethVa(), value);
        if (result != InboundMessage.OK) {
            refuse(result);
            return;
        }
        memory.addWrite(taken, packet);
        done(packet);
    }

    /** Executes a flush. Flushes take none of the places for reads; they have a memory of their own. */
    private void flush(Packet packet) {
        if (message.isUnderWay()) {
            refuse();
            return;
        }
        if (refusesMore()) {
            return;
        }
        if (flushes == null) {
            flushes = new FlushMemory();
        }
        int result = operations.beginFlush(
                packet.rethRkey(), packet.rethVa(), packet.rethLength(), packet.flushType(), packet.flushLevel());
        if (!operations.isForcing()) {
            flushed(packet, result);
        }
    }

    private void flushed(Packet packet, int result) {
        if (result != InboundMessage.OK) {
            refuse(result);
            return;
        }
        flushes.add(taken);
        done(packet);
    }

    /** {@return whether the last request waits for a disk, so that {@link #force()} and {@link #forced} must follow} */
    boolean isForcing() {
        return operations.isForcing();
    }

    /** Waits for the disk; returns false if it failed. Called without the lock. */
    boolean force() {
        return operations.force();
    }

    /** Continues the request that waited for the disk. No other request may have come meanwhile. */
    void forced(Packet packet, boolean done) {
        int result = operations.endFlush(done);
        if (!stopped && !failing) {
            flushed(packet, result);
        }
    }

    /** Asks the peer to repeat a request that could not be kept until its turn. */
    void lost(Packet packet) {
        if (!stopped && !failing && PsnMath.diff(packet.psn(), expected) >= 0) {
            counters.count(TransportCounters.LOST_SPAN);
            if (packet.psn() == expected) {
                told = false; // a peer that was told before has repeated it, and must learn that it is lost again
            }
            missed(packet.psn());
        }
    }

    private void done(Packet packet) {
        reads.addDone(packet.psn());
        answered(1);
        sendReads();
    }

    /** Returns whether reads and atomics are enabled and allowed now: not in the middle of a message. */
    private boolean canAnswer() {
        return qp.settings().maxDestRdAtomic() > 0 && !message.isUnderWay();
    }

    /** Drops a request as if it were lost, if the peer has more outstanding reads and atomics than allowed. */
    private boolean refusesMore() {
        if (reads.isFull()) {
            counters.count(TransportCounters.RESPONDER_FULL);
            return true;
        }
        return false;
    }

    private void answered(int packets) {
        taken(packets);
        msn = PsnMath.next(msn);
        lastReadPsn = PsnMath.add(expected, -1);
        anyRead = true;
        ackPending = false; // the answer acknowledges everything before it
        answers.end();
    }

    // ---- repeated requests

    /**
     * Answers a repeated request if it was executed before. A repeated request never ends the connection, because
     * anyone can send one with an old PSN: anything that was not executed, or differs, is dropped.
     */
    private void repeat(Packet packet, int last) {
        int psn = packet.psn();
        long at = taken - Psn.steps(psn, expected);
        if (Opcode.isReadRequest(packet.opcode())) {
            if (!resources.hasRead(at, packet, mtu)) {
                counters.count(TransportCounters.STALE_DUPLICATE);
                return;
            }
            reads.dropFrom(psn);
            if (refusesMore()) {
                return;
            }
            reads.add(packet, Psn.packets(packet.rethLength(), mtu), true);
            sendReads();
        } else if (Opcode.isAtomicRequest(packet.opcode())) {
            int index = resources.findAtomic(at, packet);
            if (index < 0) {
                counters.count(TransportCounters.STALE_DUPLICATE);
                return;
            }
            reads.dropFrom(psn);
            if (refusesMore()) {
                return;
            }
            reads.addAtomic(psn, resources.found(index));
            sendReads();
        } else if (packet.opcode() == Opcode.RC_ATOMIC_WRITE || packet.opcode() == Opcode.RC_FLUSH) {
            // Not executed again: the data may have been overwritten since.
            boolean done = packet.opcode() == Opcode.RC_FLUSH
                    ? flushes != null && flushes.has(at)
                    : resources.hasWrite(at, packet);
            if (!done) {
                counters.count(TransportCounters.STALE_DUPLICATE);
                return;
            }
            reads.dropFrom(psn);
            if (refusesMore()) {
                return;
            }
            reads.addDone(psn);
            sendReads();
        } else {
            // Everything was received, but an acknowledgement beyond a read would claim that the read was answered.
            boolean all = !anyRead || PsnMath.diff(last, lastReadPsn) > 0;
            int repeated = all ? PsnMath.add(expected, -1) : last;
            if (!ackPending || PsnMath.diff(repeated, ackPsn) > 0) {
                ackPsn = repeated;
            }
            ackPending = true;
        }
    }

    // ---- refusing

    private void refuse() {
        message.fail(WcStatus.REM_INV_REQ_ERR);
        fail(Aeth.NAK_INVALID_REQUEST, EventType.QP_REQ_ERR);
    }

    private void refuseAccess() {
        message.fail(WcStatus.REM_ACCESS_ERR);
        fail(Aeth.NAK_REMOTE_ACCESS_ERROR, EventType.QP_ACCESS_ERR);
    }

    private void fail(int reason, int event) {
        nakPending = Aeth.nak(reason);
        failing = true;
        failureEvent = event;
    }

    // ---- answering

    /**
     * Answers what was received. If reads remain to be answered afterwards, {@link #deadline()} says when to continue.
     *
     * @param polled whether it was received by a polling program
     * @return whether {@link #answerIsLate} is to be called
     */
    boolean burstEnded(boolean polled) {
        if (stopped) {
            return false;
        }
        sendReads();
        if (reads.isEmpty()) {
            acknowledge(polled && received && answerable && acks.isBySocket());
            gap = false;
        }
        received = false;
        reads.burstEnded();
        acks.flush();
        return answers.isAwaited();
    }

    /** {@return whether it matters that the program sends something or does not} May be called without the lock. */
    boolean awaitsAnswer() {
        return answers.isAwaited();
    }

    /**
     * Notes that the program sends something, perhaps an answer, and sends the acknowledgement with it. The caller
     * holds the send lock but not the receive lock.
     */
    void answerLeaves(AcknowledgeWriter with) {
        if (answers.isAwaited()) {
            synchronized (qp.recvLock) {
                if (answers.leaves()) {
                    acknowledge(with);
                }
            }
        }
    }

    /** Notes that the program has sent nothing and nothing more is to be expected. */
    void answerIsLate() {
        if (answers.isLate()) {
            acknowledge(acks);
            acks.flush();
        }
    }

    private void acknowledge(AcknowledgeWriter by) {
        ackPending = false;
        by.write(ackPsn, Aeth.ACK_UNLIMITED, msn);
    }

    private void sendReads() {
        int refused = reads.send(msn);
        if (refused == ReadResponder.ALLOWED) {
            return;
        }
        // The key has ended since; the refusal is for the packet that needed it.
        if (reads.isRepeating()) {
            // The network may have delayed a read that was answered long ago; only a peer that still waits for it takes
            // the NAK.
            counters.count(TransportCounters.SENT_FATAL_NAK);
            acks.write(refused, Aeth.nak(reason(reads.refusal())), msn);
            reads.clear();
        } else {
            reads.clear();
            expected = refused;
            refuse(reads.refusal());
        }
    }

    private void acknowledge(boolean mayWait) {
        answers.end();
        if (nakPending != NONE) {
            boolean notReady = Aeth.isRnrNak(nakPending);
            counters.count(notReady ? TransportCounters.SENT_RNR_NAK : TransportCounters.SENT_FATAL_NAK);
            acks.write(expected, nakPending, msn);
            nakPending = NONE;
        } else if (gap && !told && PsnMath.diff(beyondGap, expected) >= 0) {
            told = true;
            counters.count(TransportCounters.SENT_SEQUENCE_NAK);
            acks.write(expected, Aeth.nak(Aeth.NAK_PSN_SEQUENCE_ERROR), msn);
        } else if (ackPending) {
            if (mayWait && !failing && answers.await()) {
                return;
            }
            acks.write(ackPsn, Aeth.ACK_UNLIMITED, msn);
        }
        ackPending = false;
        if (failing) {
            stopped = true;
            if (failureEvent != NONE) {
                qp.raise(failureEvent);
            }
            qp.enterErrorSoon();
        }
    }

    /** {@return the number of answers that are still to be sent} */
    int backlog() {
        return reads.size();
    }

    /** {@return the time at which {@link #burstEnded} is to be called even without packets} */
    long deadline() {
        return reads.deadline();
    }

    /** Stops. A receive work request that was taken is flushed along with the others. */
    void stop() {
        stopped = true;
        reads.clear();
        reads.recall();
        if (answers.end()) {
            acknowledge(acks); // the program has the message
        }
        acks.flush();
        if (qp.state() == QpState.ERR) {
            message.fail(WcStatus.WR_FLUSH_ERR);
        } else {
            message.forget();
        }
        inbox.end();
    }
}
