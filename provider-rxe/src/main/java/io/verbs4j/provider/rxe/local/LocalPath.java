/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.local;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompCntrOps;
import io.verbs4j.EventType;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.TmHeader;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.memory.LastKey;
import io.verbs4j.provider.rxe.memory.MemoryKey;
import io.verbs4j.provider.rxe.qp.InboundMessage;
import io.verbs4j.provider.rxe.qp.Inbox;
import io.verbs4j.provider.rxe.qp.RemoteOperations;
import io.verbs4j.provider.rxe.qp.RnrTimer;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.qp.SendPath;
import io.verbs4j.provider.rxe.queue.CrossRequest;
import io.verbs4j.provider.rxe.queue.RecvQueue;
import io.verbs4j.provider.rxe.queue.RecvWqe;
import io.verbs4j.provider.rxe.queue.ScatterList;
import io.verbs4j.provider.rxe.queue.SendQueue;
import io.verbs4j.provider.rxe.queue.SendWqe;
import io.verbs4j.provider.rxe.queue.TaggedMessage;
import io.verbs4j.provider.rxe.wire.PsnMath;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * Executes the send queue of an RC, UC or XRC queue pair whose peer is in this JVM. The posting thread copies each
 * message once, directly from the memory of one side to that of the other.
 *
 * <p>A program observes the same as with packets: PSNs must match, a receiver that is not ready makes the sender wait
 * and retry, a peer that does not answer makes it retry and fail, and violations fail both sides.
 */
// Longer than 500 lines because both sides of a copy run in one call under two locks, and a part of it in another
// object would cost each message an indirection.
public final class LocalPath implements SendPath {
    // Results of a message, in addition to those of WcStatus.
    private static final int NO_ANSWER = -1;
    private static final int NOT_READY = -2;

    /**
     * Operations that only read local memory. If the peer is in this process, they wait for no key and no other
     * process.
     */
    private static final long READERS = QpCreateSendOps.SEND
            | QpCreateSendOps.SEND_WITH_IMM
            | QpCreateSendOps.RDMA_WRITE
            | QpCreateSendOps.RDMA_WRITE_WITH_IMM;

    private static final long WRITES =
            QpCreateSendOps.RDMA_WRITE | QpCreateSendOps.RDMA_WRITE_WITH_IMM | QpCreateSendOps.ATOMIC_WRITE;

    private final RxeQp qp;
    private final Supplier<RxeQp> lookup;
    private final boolean reliable;
    private final int mtu;

    /** RC or UC, which never use the receives of another process. */
    private final boolean connected;

    /** Executes RDMA writes that need no place in the send queue; null if all need one. */
    private final PlainWrites writes;

    private final ByteBuffer atomicResult = ByteBuffer.allocateDirect(8);
    private final long atomicResultAddress = NativeMemory.address(atomicResult);
    private final RemoteOperations operations;

    /** The receive that the current message goes to. Guarded by the receive lock. */
    private final RecvWqe received;

    /** Matches messages to buffers by tag; null without tag matching. */
    private final TaggedMessage tagged;

    final Inbox inbox;

    /** The last key used for sending from here. Guarded by the send lock. */
    final LastKey lastLocal = new LastKey();

    /** The last key that the peer named. Guarded by the receive lock. */
    final LastKey lastRemote = new LastKey();

    /** Created with the first message for another process. */
    private ForeignDelivery foreign;

    private RxeQp peer;
    private int sqPsn;
    private int rqPsn;
    private int retries;
    private int rnrRetries;
    private boolean waiting;
    private boolean waitsForReceiver;

    /** Whether the next message waits for the rate limit. */
    private boolean paced;

    /** Index of the first request that {@link #begin} has not examined. */
    private long begun;

    /** Creates a path. {@code lookup} returns the peer, or null. */
    public LocalPath(RxeQp qp, Supplier<RxeQp> lookup) {
        this.qp = qp;
        this.lookup = lookup;
        this.reliable = qp.isReliable();
        this.mtu = qp.settings().mtu();
        this.connected = qp.qpType() == QpType.RC || qp.qpType() == QpType.UC;
        this.writes = connected && qp.has(QpCreateSendOps.RDMA_WRITE) ? new PlainWrites(qp, this) : null;
        this.inbox = qp.newInbox();
        this.operations = new RemoteOperations(inbox);
        this.received = inbox.newRecvWqe();
        this.tagged = inbox.newTaggedMessage();
        this.rqPsn = qp.settings().firstRqPsn();
        this.sqPsn = -1; // known at RTS
    }

    @Override
    public int sqPsn() {
        return sqPsn < 0 ? qp.settings().firstSqPsn() : sqPsn;
    }

    @Override
    public int rqPsn() {
        return rqPsn;
    }

    @Override
    public void stop() {
        waiting = false;
        paced = false;
        retries = 0;
        rnrRetries = 0;
        peer = null;
        lastLocal.clear();
        synchronized (qp.recvLock) {
            lastRemote.clear();
            inbox.end();
        }
    }

    @Override
    public SendWorkRequest sendNow(SendWorkRequest first, int most) {
        return writes == null || qp.isLimited() ? first : writes.send(first, most);
    }

    @Override
    public void sendNow(SendBuilder built) {
        if (writes != null && !qp.isLimited()) {
            writes.send(built);
        }
    }

    @Override
    public void run() {
        SendQueue sq = qp.sendQueue();
        if (sqPsn < 0) {
            sqPsn = qp.settings().firstSqPsn();
        }
        paced = false;
        while (!waiting && sq.next() < sq.ready() && mayGoOn(sq.at(sq.next()))) {
            SendWqe wqe = sq.at(sq.next());
            long delay = qp.sendDelay(wqe.outgoing());
            if (delay > 0) {
                paced = true;
                qp.wakeAt(qp.now() + delay);
                break;
            }
            int result = wqe.isLocal() ? qp.execute(wqe) : execute(wqe);
            if (result == CrossRequest.WAITS) {
                break;
            }
            switch (result) {
                case WcStatus.SUCCESS -> {
                    retries = 0;
                    rnrRetries = 0;
                    qp.sent(wqe.outgoing());
                    sq.advanceNext();
                    qp.completeSend(WcStatus.SUCCESS, (int) wqe.data.total());
                }
                case NO_ANSWER -> {
                    begin(sq);
                    waitForAnswer();
                }
                case NOT_READY -> {
                    begin(sq);
                    waitForReceiver();
                }
                default -> qp.failSend(result);
            }
        }
        qp.drainedPerhaps();
    }

    /** Returns whether to continue. While the send queue drains, only requests that have begun are completed. */
    private boolean mayGoOn(SendWqe wqe) {
        int state = qp.state();
        return state == QpState.RTS || state == QpState.SQD && wqe.started;
    }

    /** Marks a waiting request as begun, together with those after it that would be in transit by now as packets. */
    private void begin(SendQueue sq) {
        if (qp.state() != QpState.RTS || begun >= sq.ready()) {
            return;
        }
        begun = sq.ready();
        int answered = 0;
        for (long i = sq.next(); i < begun; i++) {
            SendWqe wqe = sq.at(i);
            if (wqe.opcode == WrOpcode.LOCAL_INV
                    || CrossRequest.isOne(wqe.opcode)
                    || wqe.has(SendFlags.FENCE) && answered > 0) {
                break;
            }
            wqe.started = true;
            if (wqe.isAnswered() && answered++ >= qp.settings().maxRdAtomic()) {
                break;
            }
        }
    }

    private void waitForAnswer() {
        long timeout = qp.settings().timeoutNanos();
        waiting = true;
        waitsForReceiver = false;
        // A timeout of 0 waits forever: it checks again periodically without counting.
        qp.wakeAt(qp.now() + (timeout == 0 ? 1_000_000 : timeout));
    }

    private void waitForReceiver() {
        waiting = true;
        waitsForReceiver = true;
        qp.wakeAt(qp.now() + RnrTimer.nanos(peer.settings().minRnrTimerCode()));
    }

    @Override
    public void onTimer(long now, long seen) {
        if (!waiting) {
            if (paced) {
                run();
            }
            return;
        }
        waiting = false;
        if (waitsForReceiver) {
            if (qp.settings().rnrRetry() != 7 && rnrRetries++ >= qp.settings().rnrRetry()) {
                qp.failSend(WcStatus.RNR_RETRY_EXC_ERR);
                return;
            }
        } else if (qp.settings().timeoutNanos() != 0
                && retries++ >= qp.settings().retryCnt()) {
            qp.failSend(WcStatus.RETRY_EXC_ERR);
            return;
        }
        run();
    }

    private int execute(SendWqe wqe) {
        // Local memory is checked first: if it does not permit the message, nothing is sent.
        if (!connected || (wqe.op & READERS) == 0) {
            return wqe.data.isAllowed(qp.keys(), qp.pd(), wqe.isAnswered()) ? deliver(wqe) : WcStatus.LOC_PROT_ERR;
        }
        if (!wqe.data.hold(lastLocal, qp.keys(), qp.pd())) {
            return WcStatus.LOC_PROT_ERR;
        }
        try {
            return deliver(wqe);
        } finally {
            wqe.data.letGo();
        }
    }

    private int deliver(SendWqe wqe) {
        if (!qp.canTakeBack(wqe)) {
            return WcStatus.LOC_QP_OP_ERR;
        }
        RxeQp to = peer();
        if (to == null) {
            return reliable ? NO_ANSWER : WcStatus.SUCCESS;
        }
        int result;
        synchronized (to.recvLock) {
            if (!to.isReceiving() || !(to.path() instanceof LocalPath there)) {
                result = NO_ANSWER;
            } else if (!isExpectedBy(there)) {
                result = NO_ANSWER; // the NAK of a sequence error would only bring the same PSN again
            } else {
                to.noteCommunication();
                result = there.receive(this, wqe);
                if (result != NOT_READY) {
                    advance(there, wqe.data.total());
                }
            }
        }
        if (reliable) {
            return result == WcStatus.SUCCESS && !qp.takeBack(wqe) ? WcStatus.LOC_QP_OP_ERR : result;
        }
        return result == WcStatus.LOC_PROT_ERR ? result : WcStatus.SUCCESS; // a UC sender never learns the outcome
    }

    /** Advances both sides' PSNs past a message of the given size. The caller holds the peer's receive lock. */
    void advance(LocalPath peers, long bytes) {
        sqPsn = PsnMath.add(sqPsn(), packets(bytes));
        peers.rqPsn = sqPsn;
    }

    /** Returns whether the peer expects the next message. The caller holds the peer's receive lock. */
    boolean isExpectedBy(LocalPath peers) {
        return !reliable || peers.rqPsn == sqPsn();
    }

    /** Returns the receiver, or null. */
    RxeQp peer() {
        if (peer == null || peer.isClosed()) {
            peer = lookup.get();
        }
        RxeQp p = peer;
        return p != null && fits(p.qpType()) && p.settings().destQpn() == qp.qpNum() ? p : null;
    }

    private boolean fits(int type) {
        return type == (qp.qpType() == QpType.XRC_SEND ? QpType.XRC_RECV : qp.qpType());
    }

    /**
     * Returns the maximum size of a message that both sides split into the same packets: unlimited if both have the
     * same path MTU, otherwise one packet of the smaller one.
     */
    int longest(LocalPath peers) {
        return mtu == peers.mtu ? Integer.MAX_VALUE : Math.min(mtu, peers.mtu);
    }

    private boolean fits(LocalPath peers, long bytes) {
        return mtu == peers.mtu || bytes <= longest(peers);
    }

    private int packets(long size) {
        return size <= mtu ? 1 : (int) ((size + mtu - 1) / mtu);
    }

    // ---- the responder's side; the receive lock of this path's queue pair is held

    /**
     * Returns the access right that the queue pair must grant, or 0. Without that right, a request is invalid even
     * before its key is checked.
     */
    private static int rightFor(SendWqe wqe) {
        return wqe.isRead()
                ? AccessFlags.REMOTE_READ
                : wqe.isAtomic() ? AccessFlags.REMOTE_ATOMIC : (wqe.op & WRITES) != 0 ? AccessFlags.REMOTE_WRITE : 0;
    }

    private int receive(LocalPath from, SendWqe wqe) {
        // Packets whose length does not match this side's path MTU are rejected.
        if (!inbox.grants(rightFor(wqe)) || !wqe.isAnswered() && !fits(from, wqe.data.total())) {
            return refuse(EventType.QP_REQ_ERR, WcStatus.REM_INV_REQ_ERR);
        }
        if (!inbox.select(wqe.remoteSrqn)) {
            // It names a queue that does not exist, which is an invalid request, like an unknown opcode.
            return refuse(EventType.QP_REQ_ERR, WcStatus.REM_INV_REQ_ERR);
        }
        if (inbox.remote() != null) {
            return receiveForeign(from, wqe);
        }
        return switch (wqe.opcode) {
            case WrOpcode.SEND, WrOpcode.SEND_WITH_IMM, WrOpcode.SEND_WITH_INV -> receiveSend(from, wqe);
            case WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM -> receiveWrite(from, wqe);
            case WrOpcode.RDMA_READ, WrOpcode.RDMA_READ_WITH_INV -> answerRead(from, wqe);
            case WrOpcode.FLUSH ->
                told(operations.flush(wqe.rkey, wqe.remoteAddr, wqe.flushLength, wqe.flushType, wqe.flushLevel));
            case WrOpcode.ATOMIC_WRITE -> answerWrite(wqe);
            default -> answerAtomic(from, wqe);
        };
    }

    private int receiveForeign(LocalPath from, SendWqe wqe) {
        if (foreign == null) {
            foreign = new ForeignDelivery(inbox);
        }
        boolean atomic = wqe.isAtomic();
        if (wqe.isAnswered() && qp.settings().maxDestRdAtomic() == 0 || atomic && (wqe.remoteAddr & 7) != 0) {
            return refuse(EventType.QP_REQ_ERR, WcStatus.REM_INV_REQ_ERR);
        }
        int result = atomic
                ? foreign.atomic(from.qp, wqe)
                : wqe.isRead()
                        ? foreign.read(from.qp, wqe, fits(from, wqe.data.total()))
                        : foreign.deliver(from.qp, wqe);
        switch (result) {
            case InboundMessage.OK:
                return WcStatus.SUCCESS;
            case InboundMessage.NOT_READY:
                return NOT_READY;
            case ForeignDelivery.LOCAL_PROTECTION:
                return WcStatus.LOC_PROT_ERR;
            case ForeignDelivery.BAD_RESPONSE:
                return WcStatus.BAD_RESP_ERR;
            case InboundMessage.TOO_LONG:
                inbox.remote().fail(WcStatus.LOC_LEN_ERR);
                qp.enterErrorSoon();
                return WcStatus.REM_INV_REQ_ERR;
            case InboundMessage.PROTECTION:
                inbox.remote().fail(WcStatus.LOC_PROT_ERR);
                qp.enterErrorSoon();
                return WcStatus.REM_OP_ERR;
            case InboundMessage.UNTOLD:
            case InboundMessage.GONE:
                return refuse(EventType.QP_FATAL, WcStatus.REM_OP_ERR);
            case InboundMessage.ACCESS:
                inbox.remote().fail(WcStatus.REM_ACCESS_ERR);
                return refuse(EventType.QP_ACCESS_ERR, WcStatus.REM_ACCESS_ERR);
            default:
                inbox.remote().fail(WcStatus.REM_INV_REQ_ERR);
                return refuse(EventType.QP_REQ_ERR, WcStatus.REM_INV_REQ_ERR);
        }
    }

    private int receiveSend(LocalPath from, SendWqe wqe) {
        long size = wqe.data.total();
        if (!reliable && qp.takeReceive(received, size) != RecvQueue.TAKEN) {
            return WcStatus.SUCCESS; // lost; a receive that is too small stays posted
        }
        int skipped = 0;
        if (tagged != null) {
            int begun = begin(from, wqe);
            if (begun != WcStatus.SUCCESS) {
                return begun;
            }
            skipped = tagged.skipped();
        } else if (reliable && !inbox.takeReceive(received)) {
            return NOT_READY;
        }
        if (size - skipped > received.data.total()) {
            return failReceive(WcStatus.LOC_LEN_ERR, WcStatus.REM_INV_REQ_ERR);
        }
        int copied = ScatterList.copy(
                wqe.data, from.qp.keys(), from.qp.pd(), skipped, received.data, qp.keys(), inbox.pd(), 0);
        if (copied == ScatterList.OTHER_NOT_ALLOWED) { // the sender's memory: the message will never be complete
            inbox.completeReceive(received, WcStatus.WR_FLUSH_ERR, WcOpcode.RECV, 0, 0, 0, 0, false);
            return WcStatus.LOC_PROT_ERR;
        }
        if (copied != ScatterList.OK) {
            return failReceive(WcStatus.LOC_PROT_ERR, WcStatus.REM_OP_ERR);
        }
        if (wqe.opcode == WrOpcode.SEND_WITH_INV
                && !qp.keys().invalidate(wqe.invalidateRkey, inbox.windows(), inbox.pd())) {
            return failReceive(WcStatus.REM_INV_REQ_ERR, WcStatus.SUCCESS); // the message itself has arrived
        }
        return completeReceive(wqe, WcOpcode.RECV);
    }

    /** Finds the buffer for a message by its headers. Returns WcStatus.SUCCESS, or the status that the sender gets. */
    private int begin(LocalPath from, SendWqe wqe) {
        long size = wqe.data.total();
        int headers = (int) Math.min(size, TmHeader.RNDV_LENGTH);
        if (wqe.data.gather(from.qp.keys(), from.qp.pd(), 0, tagged.header(), headers) != ScatterList.OK) {
            return WcStatus.LOC_PROT_ERR;
        }
        return switch (tagged.begin(size, true, size <= mtu, received)) {
            case TaggedMessage.BEGUN -> WcStatus.SUCCESS;
            case TaggedMessage.NOT_READY -> NOT_READY;
            default -> refuse(EventType.QP_REQ_ERR, WcStatus.REM_INV_REQ_ERR);
        };
    }

    private int receiveWrite(LocalPath from, SendWqe wqe) {
        long size = wqe.data.total();
        MemoryKey key = null;
        if (size != 0) { // a write of no bytes needs no key
            key = pinForPeer(wqe, size, AccessFlags.REMOTE_WRITE);
            if (key == null) {
                return refuse(EventType.QP_ACCESS_ERR, WcStatus.REM_ACCESS_ERR);
            }
        }
        boolean immediate = wqe.opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
        boolean ready = !immediate || inbox.takeReceive(received);
        VarHandle.releaseFence(); // a reader of these bytes also sees those of the request before
        int gathered = ScatterList.OK;
        if (key != null) {
            try {
                if (ready) {
                    gathered = wqe.data.gather(from.qp.keys(), from.qp.pd(), 0, wqe.remoteAddr, size, key);
                }
            } finally {
                key.unpin();
            }
        }
        if (!ready) {
            return reliable ? NOT_READY : WcStatus.SUCCESS;
        }
        if (gathered != ScatterList.OK) {
            boolean gone = gathered == ScatterList.OTHER_NOT_ALLOWED; // this side's memory
            if (immediate) {
                int status = gone ? WcStatus.LOC_PROT_ERR : WcStatus.WR_FLUSH_ERR;
                inbox.completeReceive(received, status, WcOpcode.RECV, 0, 0, 0, 0, false);
            }
            return gone ? refuse(EventType.QP_FATAL, WcStatus.REM_OP_ERR) : WcStatus.LOC_PROT_ERR;
        }
        inbox.taken(CompCntrOps.REMOTE_RDMA_WRITE, size);
        return immediate ? completeReceive(wqe, WcOpcode.RECV_RDMA_WITH_IMM) : WcStatus.SUCCESS;
    }

    private int answerRead(LocalPath from, SendWqe wqe) {
        if (qp.settings().maxDestRdAtomic() == 0) {
            return refuse(EventType.QP_REQ_ERR, WcStatus.REM_INV_REQ_ERR);
        }
        long size = wqe.data.total();
        if (size == 0) {
            inbox.taken(CompCntrOps.REMOTE_RDMA_READ, 0);
            return WcStatus.SUCCESS;
        }
        MemoryKey key = pinForPeer(wqe, size, AccessFlags.REMOTE_READ);
        if (key == null) {
            return refuse(EventType.QP_ACCESS_ERR, WcStatus.REM_ACCESS_ERR);
        }
        if (!fits(from, size)) {
            key.unpin();
            return WcStatus.BAD_RESP_ERR; // would be answered with packets of another length than requested
        }
        int scattered;
        try {
            scattered = wqe.data.scatter(from.qp.keys(), from.qp.pd(), 0, wqe.remoteAddr, size, key);
        } finally {
            key.unpin();
        }
        if (scattered == ScatterList.OTHER_NOT_ALLOWED) {
            return refuse(EventType.QP_FATAL, WcStatus.REM_OP_ERR);
        }
        if (scattered != ScatterList.OK) {
            return WcStatus.LOC_PROT_ERR;
        }
        inbox.taken(CompCntrOps.REMOTE_RDMA_READ, size);
        return WcStatus.SUCCESS;
    }

    private int answerAtomic(LocalPath from, SendWqe wqe) {
        int bytes = wqe.isMasked() ? wqe.atomicWidth : Long.BYTES;
        if (qp.settings().maxDestRdAtomic() == 0 || (wqe.remoteAddr & bytes - 1) != 0) {
            return refuse(EventType.QP_REQ_ERR, WcStatus.REM_INV_REQ_ERR);
        }
        boolean swaps = wqe.swaps();
        long swapAdd = swaps ? wqe.swap : wqe.compareAdd;
        int told = told(
                wqe.isMasked()
                        ? operations.masked(
                                wqe.rkey,
                                wqe.remoteAddr,
                                bytes,
                                swaps,
                                swapAdd,
                                wqe.compareAdd,
                                wqe.swapMask,
                                wqe.compareAddMask)
                        : operations.atomic(wqe.rkey, wqe.remoteAddr, swaps, wqe.compareAdd, swapAdd));
        if (told != WcStatus.SUCCESS) {
            return told;
        }
        if (bytes == Long.BYTES) {
            NativeMemory.putLong(from.atomicResultAddress, operations.found());
        } else {
            NativeMemory.putInt(from.atomicResultAddress, (int) operations.found());
        }
        int scattered = wqe.data.scatter(from.qp.keys(), from.qp.pd(), 0, from.atomicResultAddress, bytes);
        return scattered == ScatterList.OK ? WcStatus.SUCCESS : WcStatus.LOC_PROT_ERR;
    }

    private int answerWrite(SendWqe wqe) {
        return qp.settings().maxDestRdAtomic() == 0
                ? refuse(EventType.QP_REQ_ERR, WcStatus.REM_INV_REQ_ERR)
                : told(operations.write(wqe.rkey, wqe.remoteAddr, wqe.atomicWriteValue));
    }

    /**
     * Returns the status that the sender gets for an operation executed or refused here. On refusal, this side fails.
     */
    private int told(int result) {
        return switch (result) {
            case InboundMessage.OK -> WcStatus.SUCCESS;
            case InboundMessage.ACCESS -> refuse(EventType.QP_ACCESS_ERR, WcStatus.REM_ACCESS_ERR);
            case InboundMessage.GONE -> refuse(EventType.QP_FATAL, WcStatus.REM_OP_ERR);
            default -> refuse(EventType.QP_REQ_ERR, WcStatus.REM_INV_REQ_ERR);
        };
    }

    private MemoryKey pinForPeer(SendWqe wqe, long size, int right) {
        return inbox.pin(lastRemote, wqe.rkey, wqe.remoteAddr, size, right);
    }

    private int completeReceive(SendWqe wqe, int opcode) {
        boolean immediate = wqe.opcode == WrOpcode.SEND_WITH_IMM || opcode == WcOpcode.RECV_RDMA_WITH_IMM;
        boolean invalidates = wqe.opcode == WrOpcode.SEND_WITH_INV;
        int flags = immediate ? WcFlags.WITH_IMM : invalidates ? WcFlags.WITH_INV : 0;
        int immData = immediate ? wqe.immData : invalidates ? wqe.invalidateRkey : 0;
        boolean solicited = wqe.has(SendFlags.SOLICITED);
        if (tagged != null && opcode == WcOpcode.RECV) {
            if (tagged.complete(received, wqe.data.total(), flags, immData, solicited)) {
                inbox.serviceSoon();
            }
            return WcStatus.SUCCESS;
        }
        boolean told = inbox.completeReceive(
                received, WcStatus.SUCCESS, opcode, (int) wqe.data.total(), flags, immData, 0, solicited);
        return told ? WcStatus.SUCCESS : refuse(EventType.QP_FATAL, WcStatus.REM_OP_ERR);
    }

    /** Fails the current receive and this side; returns the status that the sender gets. */
    private int failReceive(int statusHere, int statusThere) {
        inbox.completeReceive(received, statusHere, WcOpcode.RECV, 0, 0, 0, 0, false);
        qp.enterErrorSoon();
        return statusThere;
    }

    /** Fails this side without a receive; returns the status that the sender gets. */
    private int refuse(int event, int statusThere) {
        if (reliable) {
            qp.raise(event);
            qp.enterErrorSoon();
        }
        return statusThere;
    }
}
