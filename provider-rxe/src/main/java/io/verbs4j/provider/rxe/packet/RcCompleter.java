/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.WcStatus;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.memory.RemoteMemory;
import io.verbs4j.provider.rxe.queue.ScatterList;
import io.verbs4j.provider.rxe.queue.SendWqe;
import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import io.verbs4j.provider.rxe.wire.PsnMath;
import java.nio.ByteBuffer;

/**
 * Processes the responses that an RC queue pair receives. Guarded by the send lock.
 *
 * <p>A response acknowledges its request and all before it, except for reads and atomics, whose own answers must
 * arrive: a response beyond one of these shows that its answer was lost.
 */
final class RcCompleter {
    private static final int ATOMIC_BYTES = 8;

    private final RcRequester requester;
    private final TransportCounters counters;

    /** Allocated with the first atomic. */
    private ByteBuffer atomicResult;

    private long atomicResultAddress;

    RcCompleter(RcRequester requester, TransportCounters counters) {
        this.requester = requester;
        this.counters = counters;
    }

    void onResponse(Packet packet) {
        int psn = packet.psn();
        if (!requester.awaits(psn)) {
            counters.count(TransportCounters.GHOST_RESPONSE);
            return;
        }
        if (Opcode.isReadResponse(packet.opcode())) {
            readResponse(packet, psn);
        } else if (Opcode.isAtomicAck(packet.opcode())) {
            atomicResponse(packet, psn);
        } else {
            acknowledge(packet, psn);
        }
    }

    private void acknowledge(Packet packet, int psn) {
        int syndrome = packet.aethSyndrome();
        if (Aeth.isAck(syndrome)) {
            if (!requester.arrivedBefore(psn + 1)) {
                requester.missing();
            }
        } else if (!requester.arrivedBefore(psn)) {
            requester.missing();
        } else if (Aeth.isRnrNak(syndrome)) {
            requester.receiverNotReady(Aeth.value(syndrome));
        } else if (Aeth.isNak(syndrome)) {
            nak(Aeth.value(syndrome));
        }
    }

    private void nak(int reason) {
        if (reason == Aeth.NAK_PSN_SEQUENCE_ERROR) {
            requester.sequenceNak();
            return;
        }
        int status = switch (reason) {
            case Aeth.NAK_INVALID_REQUEST -> WcStatus.REM_INV_REQ_ERR;
            case Aeth.NAK_REMOTE_ACCESS_ERROR -> WcStatus.REM_ACCESS_ERR;
            case Aeth.NAK_REMOTE_OPERATIONAL_ERROR -> WcStatus.REM_OP_ERR;
            case Aeth.NAK_INVALID_RD_REQUEST -> WcStatus.REM_INV_RD_REQ_ERR;
            default -> WcStatus.SUCCESS;
        };
        if (status != WcStatus.SUCCESS) { // reserved reasons are ignored, as specified
            counters.count(TransportCounters.FATAL_NAK);
            requester.fail(status);
        }
    }

    private void readResponse(Packet packet, int psn) {
        if (!isNext(psn)) {
            return;
        }
        SendWqe wqe = requester.oldest();
        if (wqe.isDoneThere()) {
            if (packet.opcode() == Opcode.RC_RDMA_READ_RESPONSE_ONLY && packet.payloadLength() == 0) {
                requester.answered(wqe, 1);
            } else {
                requester.fail(WcStatus.BAD_RESP_ERR);
            }
            return;
        }
        if (!wqe.isRead()) {
            counters.count(TransportCounters.GHOST_RESPONSE);
            return;
        }
        long offset = (long) Psn.steps(wqe.firstPsn, psn) * requester.mtu();
        if (packet.remote() != null) {
            lentResponse(wqe, psn, offset, packet.remote());
            return;
        }
        if (wqe.data.total() - offset >= RcRequester.LEAST_SPAN) {
            requester.answersAreLent(false);
        }
        int bytes = packet.payloadLength();
        if (bytes != Math.min(requester.mtu(), wqe.data.total() - offset)) {
            requester.fail(WcStatus.BAD_RESP_ERR);
            return;
        }
        // Does not distinguish first, middle and last: a repeated read may begin anywhere, and an answer to the earlier
        // request is equally valid.
        if (requester.deliver(wqe, offset, packet.payload(), bytes)) {
            requester.answered(wqe, 1);
        } else {
            requester.fail(WcStatus.LOC_PROT_ERR);
        }
    }

    /** Copies the answer to a read, or to a part of one, from the peer's memory. */
    private void lentResponse(SendWqe wqe, int psn, long offset, RemoteMemory lent) {
        long left = wqe.data.total() - offset;
        long bytes = lent.bytes();
        int packets = Psn.packets(bytes, requester.mtu());
        if (bytes > left
                || bytes < left && bytes % requester.mtu() != 0
                || !requester.awaits(PsnMath.add(psn, packets - 1))) {
            requester.fail(WcStatus.BAD_RESP_ERR);
            return;
        }
        switch (requester.deliver(wqe, offset, lent)) {
            case ScatterList.OK -> {
                requester.answersAreLent(true);
                requester.answered(wqe, packets);
            }
            case ScatterList.OTHER_NOT_ALLOWED -> {
                counters.count(TransportCounters.LOST_SPAN);
                requester.answerTakenBack();
            }
            default -> requester.fail(WcStatus.LOC_PROT_ERR);
        }
    }

    private void atomicResponse(Packet packet, int psn) {
        if (!isNext(psn)) {
            return;
        }
        SendWqe wqe = requester.oldest();
        if (wqe.isDoneThere()) {
            requester.fail(WcStatus.BAD_RESP_ERR);
            return;
        }
        if (!wqe.isAtomic()) {
            counters.count(TransportCounters.GHOST_RESPONSE);
            return;
        }
        if (atomicResult == null) {
            atomicResult = ByteBuffer.allocateDirect(ATOMIC_BYTES);
            atomicResultAddress = NativeMemory.address(atomicResult);
        }
        long address = atomicResultAddress;
        int bytes = wqe.isMasked() ? wqe.atomicWidth : ATOMIC_BYTES;
        if (bytes == ATOMIC_BYTES) {
            NativeMemory.putLong(address, packet.atomicOrig());
        } else {
            NativeMemory.putInt(address, (int) packet.atomicOrig());
        }
        if (requester.deliver(wqe, 0, address, bytes)) {
            requester.answered(wqe, 1);
        } else {
            requester.fail(WcStatus.LOC_PROT_ERR);
        }
    }

    /**
     * Returns whether a response is the next one expected; it also acknowledges earlier requests that need no answer of
     * their own.
     */
    private boolean isNext(int psn) {
        if (requester.arrivedBefore(psn)) {
            return true;
        }
        requester.missing();
        return false;
    }
}
