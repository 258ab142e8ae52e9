/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.AccessFlags;
import io.verbs4j.provider.rxe.memory.KeyMemory;
import io.verbs4j.provider.rxe.memory.MemoryKey;
import io.verbs4j.provider.rxe.qp.InboundMessage;
import io.verbs4j.provider.rxe.qp.Inbox;
import io.verbs4j.provider.rxe.share.RingWriter;
import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.AtomicAckEth;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Icrc;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import java.util.function.LongSupplier;

/**
 * Sends the answers to reads and atomics. Memory is read when a packet is created, never earlier, and never kept. A
 * large answer to another process of this machine is lent instead: that process copies it from the memory itself.
 * Guarded by the receive lock.
 */
final class ReadResponder {
    /** Returned by {@link #send} if no key refused; not a PSN. */
    static final int ALLOWED = -1;

    /**
     * Bytes sent at a time: what a requester of this project has outstanding at most, so that only requesters that ask
     * for more than a receive buffer holds are paused.
     */
    private static final int BURST_BYTES = 1 << 20;

    private static final int BURST_PACKETS = 1024;
    private static final long PAUSE_NANOS = 100_000;
    private static final long NEVER = Long.MAX_VALUE;

    private final Inbox inbox;
    private final PacketOutput out;
    private final int service;
    private final LongSupplier clock;
    private final int mtu;
    private final int burst;
    private final ResponseQueue queue = new ResponseQueue();

    /** Also read with another lock held. */
    private volatile long resumeAt = NEVER;

    private int refusal;

    /**
     * Whether a packet of the size of the path MTU has answered a read: a peer with another MTU has failed then. An
     * answer that is lent does not show the size.
     */
    private boolean mtuIsShown;

    private final LentMemory memory = new LentMemory();

    /** Number of packets sent since the last pause, or since the queue was last empty. */
    private int sent;

    ReadResponder(Inbox inbox, PacketOutput out, int service, LongSupplier clock) {
        this.inbox = inbox;
        this.out = out;
        this.service = service;
        this.clock = clock;
        this.mtu = inbox.mtu();
        this.burst = Math.min(BURST_PACKETS, BURST_BYTES / mtu);
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    int size() {
        return queue.size();
    }

    boolean isFull() {
        return queue.isFull();
    }

    void clear() {
        queue.clear();
        resumeAt = NEVER;
    }

    /**
     * Checks whether the peer may read a range, with current rights and keys; returns a constant of
     * {@link InboundMessage}.
     */
    int check(int srqNum, int rkey, long address, long bytes) {
        if (!inbox.grants(AccessFlags.REMOTE_READ)) {
            return InboundMessage.INVALID;
        }
        if (inbox.select(srqNum) && inbox.remote() != null) {
            return inbox.remote().check(inbox.accessFlags(), srqNum, rkey, address, bytes);
        }
        if (bytes == 0) {
            return InboundMessage.OK;
        }
        MemoryKey key = pin(srqNum, rkey, address, bytes);
        if (key == null) {
            return InboundMessage.ACCESS;
        }
        key.unpin();
        return InboundMessage.OK;
    }

    private int copy(int srqNum, int rkey, long address, int bytes, long to) {
        if (inbox.select(srqNum) && inbox.remote() != null) {
            return inbox.remote().read(inbox.accessFlags(), srqNum, rkey, address, bytes, to);
        }
        MemoryKey key = pin(srqNum, rkey, address, bytes);
        if (key == null) {
            return InboundMessage.ACCESS;
        }
        try {
            return KeyMemory.copy(key, address, null, to, bytes) ? InboundMessage.OK : InboundMessage.GONE;
        } finally {
            key.unpin();
        }
    }

    /** {@return whether the read that stopped {@link #send} had been answered before} */
    boolean isRepeating() {
        return queue.isAgain();
    }

    /** {@return the reason why {@link #send} stopped} */
    int refusal() {
        return refusal;
    }

    private MemoryKey pin(int srqNum, int rkey, long address, long bytes) {
        return inbox.select(srqNum) ? inbox.pin(rkey, address, bytes, AccessFlags.REMOTE_READ) : null;
    }

    /** Adds a read to answer, for the first time or again. */
    void add(Packet request, int packets, boolean again) {
        queue.addRead(
                request.psn(),
                packets,
                request.xrcSrqNum(),
                request.rethVa(),
                request.rethRkey(),
                request.rethLength(),
                again);
    }

    /** Adds the answer to an atomic write or a flush, which is that to an empty read. */
    void addDone(int psn) {
        queue.addRead(psn, 1, 0, 0, 0, 0, false);
    }

    void addAtomic(int psn, long found) {
        queue.addAtomic(psn, found);
    }

    void dropFrom(int psn) {
        queue.dropFrom(psn, mtu);
    }

    /** {@return the time at which {@link #send} is to be called again} */
    long deadline() {
        return resumeAt;
    }

    /**
     * Sends as much as may be sent now.
     *
     * @return {@link #ALLOWED}, or the PSN of a packet whose memory may not be read any more
     */
    int send(int msn) {
        if (resumeAt != NEVER) {
            if (clock.getAsLong() - resumeAt < 0) {
                return ALLOWED;
            }
            resumeAt = NEVER;
            sent = 0;
        }
        while (!queue.isEmpty()) {
            if (queue.isAtomic()) {
                sendAtomic(msn);
            } else if (sent++ >= burst || !out.hasRoom()) {
                resumeAt = clock.getAsLong() + PAUSE_NANOS;
                return ALLOWED;
            } else if (!lend(msn) && !sendRead(msn)) {
                return queue.psn();
            }
        }
        return ALLOWED;
    }

    /** Allows the next burst its full size if the queue is empty. */
    void burstEnded() {
        if (queue.isEmpty()) {
            sent = 0;
        }
    }

    private void sendAtomic(int msn) {
        int length = Bth.LENGTH + Aeth.LENGTH + AtomicAckEth.LENGTH;
        int at = out.begin(length);
        out.header(at, service | Opcode.RC_ATOMIC_ACKNOWLEDGE, false, 0, false, queue.psn());
        Aeth.write(out.buffer(), at + Bth.LENGTH, Aeth.ACK_UNLIMITED, msn);
        AtomicAckEth.write(out.buffer(), at + Bth.LENGTH + Aeth.LENGTH, queue.found());
        out.end(length);
        queue.sent(1, 0);
    }

    /**
     * Lends the memory of the first answer, or as much as one span may stand for. Returns false if that is not possible
     * now; packets then also tell what is refused. A repeated answer is never lent: the peer may not have been able to
     * copy it.
     */
    private boolean lend(int msn) {
        if (!mtuIsShown || queue.bytes() < RcRequester.LEAST_SPAN || queue.isAgain() || service != Opcode.RC) {
            return false;
        }
        RingWriter ring = out.ring();
        int at = ring != null && ring.copiesAnswers() ? out.beginSpan(ring) : -1;
        if (at < 0) {
            return false;
        }
        long bytes = Math.min(RingWriter.SPAN_BYTES, queue.bytes());
        int packets = Psn.packets(bytes, mtu);
        int operation = operation(queue.isAtStart(), packets == queue.packets());
        int headers = Opcode.headerLength(service | operation);
        int length = headers + Icrc.LENGTH;
        int pieces = 0;
        try {
            pieces = pieces(ring, length, bytes);
            if (pieces > 0) {
                header(at, operation, 0, msn);
                ring.endSpan(length, pieces, bytes);
            }
        } finally {
            if (pieces <= 0) {
                ring.abandon();
            }
        }
        if (pieces > 0) {
            queue.sent(packets, bytes);
        }
        return pieces > 0;
    }

    private int pieces(RingWriter ring, int length, long bytes) {
        MemoryKey key = pin(queue.srqNum(), queue.rkey(), queue.address(), bytes);
        if (key == null) {
            return 0;
        }
        try {
            int pieces = KeyMemory.list(key, queue.address(), bytes, ring.pieces(length), 0, RingWriter.MAX_PIECES);
            if (pieces > 0) {
                memory.lent(ring);
                key.lend(ring.lender(), ring.spanEnd());
            }
            return pieces;
        } finally {
            key.unpin();
        }
    }

    /** Recalls the memory that was lent to other processes: when this returns, they do not read it any more. */
    void recall() {
        memory.recall();
    }

    private static int operation(boolean first, boolean last) {
        return last
                ? first ? Opcode.RC_RDMA_READ_RESPONSE_ONLY : Opcode.RC_RDMA_READ_RESPONSE_LAST
                : first ? Opcode.RC_RDMA_READ_RESPONSE_FIRST : Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
    }

    private void header(int at, int operation, int pad, int msn) {
        out.header(at, service | operation, false, pad, false, queue.psn());
        if (operation != Opcode.RC_RDMA_READ_RESPONSE_MIDDLE) {
            Aeth.write(out.buffer(), at + Bth.LENGTH, Aeth.ACK_UNLIMITED, msn);
        }
    }

    private boolean sendRead(int msn) {
        boolean last = queue.packets() == 1;
        int operation = operation(queue.isAtStart(), last);
        int payload = (int) Math.min(mtu, queue.bytes());
        int pad = -payload & 3;
        int headers = Opcode.headerLength(service | operation);
        int length = headers + payload + pad;
        int at = out.begin(length);
        if (payload > 0) {
            refusal = copy(queue.srqNum(), queue.rkey(), queue.address(), payload, out.address() + at + headers);
            if (refusal != InboundMessage.OK) {
                return false;
            }
        }
        header(at, operation, pad, msn);
        out.pad(at + length - pad, pad);
        out.end(length);
        mtuIsShown |= !last;
        queue.sent(1, payload);
        return true;
    }
}
