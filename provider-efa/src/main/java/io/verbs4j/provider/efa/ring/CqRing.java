/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import io.verbs4j.Errno;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.ring.CompletionRing;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A completion queue that Java reads.
 *
 * <p>A completion is valid when its phase bit matches the current round. The bit is read together with the 8 bytes that
 * contain it, before anything else of the completion.
 *
 * <p>The ring is mapped read-only, so completions of a destroyed queue pair cannot be removed. They stay in place and
 * are skipped when they are reached: each queue pair records the index of its first own completion.
 *
 * <pre>
 * completion  0 id(2)  2 status(1)  3 flags(1)  4 queue pair(2)  6 of a send: upper id(6); of a receive: length(2)
 *              8 of a receive: address handle(2)  10 sender(2)  12 immediate(4)
 *             16 of a receive: upper length(2), or the sender's GID(16)
 * </pre>
 */
public final class CqRing extends CompletionRing {
    /** Offset of the sender's GID in a completion. */
    public static final int GID = 16;

    private static final int ARM = 1 << 31;
    private static final int EVENTS = 29; // shift
    private static final int SHORT = 0xffff;
    private static final int LARGE = 32;

    private final long buf;
    private final int count;
    private final int size;
    private final long doorbell;
    private final Rings rings;
    private final CqPlace where;
    private final AtomicInteger events = new AtomicInteger();
    private Rings.Entry last;
    private long consumed;
    private long told; // consumer index that the device knows

    /** Creates the reader of a queue in memory shared with the device. */
    public CqRing(CqPlace where, Rings rings, RingLock lock) {
        super(lock);
        this.where = where;
        buf = where.buffer();
        count = where.numEntries();
        size = where.entrySize();
        doorbell = where.doorbell();
        this.rings = rings;
    }

    /**
     * Hands the queue over to device code, for good. Polling fails with EBUSY from then on.
     *
     * @param most how many queue pairs may use the queue
     * @return where the queue is, and where it stands
     * @throws io.verbs4j.VerbsException {@link Errno#EBUSY} if a completion is waiting or the queue was handed over
     *     before; {@link Errno#EINVAL} if more queue pairs use it
     */
    public HandedCompletions handOver(int most) {
        handOver(HandedSends.VERB, most, () -> isThere(consumed));
        return new HandedCompletions(where, consumed);
    }

    /** Removes completions. Returns how many, or the negative of an errno. */
    public int poll(int numEntries, WorkCompletion[] wc) {
        if (numEntries < 0 || wc == null || numEntries > wc.length) {
            return -Errno.EINVAL;
        }
        do {
            boolean asOwner = lock().lock();
            try {
                if (isReady()) {
                    return pollOpen(numEntries, wc);
                }
                if (isClosed()) {
                    return -Errno.EINVAL;
                }
                if (isHandedOver()) {
                    return -Errno.EBUSY;
                }
            } finally {
                lock().unlock(asOwner);
            }
        } while (awaitTurn());
        return -Errno.EBUSY;
    }

    /**
     * Reads completions with the lock held. Keeps constants in local variables, because the acquire read of a phase bit
     * makes the compiler reload all fields.
     */
    private int pollOpen(int numEntries, WorkCompletion[] wc) {
        long ring = buf;
        int places = count;
        int step = size;
        long before = consumed;
        long next = before;
        int taken = 0;
        Rings.Entry qp = last;
        while (taken < numEntries) {
            long cqe = ring + (next & places - 1) * step;
            long first = NativeMemory.getLongAcquire(cqe);
            if (isDevices(first, next & places)) {
                break;
            }
            WorkCompletion to = wc[taken];
            if (to == null) {
                taken = taken == 0 ? -Errno.EINVAL : taken;
                break;
            }
            int qpNum = (int) (first >>> 32) & SHORT;
            if (qp == null || qp.key() != qpNum) {
                qp = rings.find(qpNum);
            }
            if (qp != null && read(cqe, first, qp, next, to.expect(0).qpNum(qpNum))) {
                taken++;
            }
            next++;
        }
        if (next != before) {
            last = qp;
            consumed = next;
            giveBack();
        }
        return taken;
    }

    /** Returns whether an entry still belongs to the device in the given round (a bit of the index). */
    private static boolean isDevices(long first, long round) {
        return (first >>> 24 & Descriptor.COMPLETION_PHASE) != 0 != (round == 0);
    }

    private long place(long index) {
        return NativeMemory.piece(buf + (index & count - 1) * size);
    }

    private boolean isThere(long index) {
        return !isDevices(NativeMemory.getLongAcquire(place(index)), index & count);
    }

    @Override
    protected long next(WorkCompletion to) {
        while (isThere(consumed)) {
            long cqe = place(consumed);
            long first = NativeMemory.getLong(cqe);
            int qpNum = (int) (first >>> 32) & SHORT;
            Rings.Entry qp = rings.find(qpNum);
            if (qp != null && read(cqe, first, qp, consumed++, to.qpNum(qpNum))) {
                return cqe;
            }
            consumed += qp == null ? 1 : 0;
        }
        return 0;
    }

    /**
     * Publishes the consumer index. The store is uncached and replaces a pending event request; like libefa, this skips
     * it if nothing was consumed.
     */
    @Override
    protected void giveBack() {
        if (told != consumed) {
            told = consumed;
            if (doorbell != 0) {
                NativeMemory.putIntRelease(doorbell, word());
            }
        }
    }

    private int word() {
        return (int) consumed & SHORT | (events.get() & 3) << EVENTS;
    }

    /** Reads a completion. Returns false if it belongs to a former queue pair, or is invalid. */
    private boolean read(long cqe, long first, Rings.Entry qp, long index, WorkCompletion wc) {
        int flags = (int) (first >>> 24) & 0xff;
        return (flags >>> 1 & 3) == Descriptor.OF_SEND
                ? readSend(cqe, first, flags, qp.sends, index, wc)
                : readReceive(cqe, first, flags, qp.receives, index, wc);
    }

    private static boolean readSend(long cqe, long first, int flags, SendRing sends, long index, WorkCompletion wc) {
        int number = (int) first & SHORT;
        RequestIds ids = sends.ids;
        long wrId;
        if (index < sends.since) {
            return false;
        }
        if (ids.isWide()) {
            wrId = number | first >>> 48 << 16 | NativeMemory.getLong(cqe + Long.BYTES) << 32;
            ids.complete();
        } else if (ids.isOne(number)) {
            wrId = ids.complete(number);
        } else {
            return false;
        }
        int raw = (int) (first >>> 16) & 0xff;
        int operation = flags >>> 4 & 7;
        wc.wrId(wrId)
                .status(RawStatus.toStatus(raw))
                .vendorErr(raw)
                .wcFlags(0)
                .opcode(
                        operation == Descriptor.SEND
                                ? WcOpcode.SEND
                                : operation == Descriptor.WRITE ? WcOpcode.RDMA_WRITE : WcOpcode.RDMA_READ);
        return true;
    }

    private boolean readReceive(long cqe, long first, int flags, ReceiveRing receives, long index, WorkCompletion wc) {
        int number = (int) first & SHORT;
        long wrId = 0;
        if (index < receives.since) {
            return false;
        }
        if ((flags & Descriptor.UNSOLICITED) == 0) { // otherwise it consumed no receive
            if (!receives.ids.isOne(number)) {
                return false;
            }
            wrId = receives.ids.complete(number);
        }
        int raw = (int) (first >>> 16) & 0xff;
        int length = (int) (first >>> 48);
        boolean write = (flags >>> 4 & 7) == Descriptor.WRITE;
        if (write && size >= LARGE) {
            length |= NativeMemory.getShort(cqe + 16) << 16;
        }
        long sender = NativeMemory.getLong(cqe + Long.BYTES);
        wc.wrId(wrId)
                .status(RawStatus.toStatus(raw))
                .vendorErr(raw)
                .opcode(write ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV)
                .byteLen(length)
                .slid((int) sender & SHORT)
                .sl(0)
                .srcQp((int) sender >>> 16)
                .pkeyIndex(0)
                .dlidPathBits(0);
        if ((flags & Descriptor.HAS_IMMEDIATE) != 0) {
            wc.wcFlags(WcFlags.WITH_IMM).immData((int) (sender >>> 32));
        } else {
            wc.wcFlags(0);
        }
        return true;
    }

    /** Requests an event at the next completion. Returns 0 or an errno. */
    public int arm(boolean solicitedOnly) {
        boolean asOwner = lock().lock();
        try {
            if (isClosed()) {
                return Errno.EINVAL;
            }
            if (isHandedOver()) {
                return Errno.EBUSY;
            }
            if (solicitedOnly || doorbell == 0) {
                return Errno.EOPNOTSUPP;
            }
            told = consumed;
            NativeMemory.putIntRelease(doorbell, word() | ARM);
            NativeMemory.fullFence(); // orders later polls after the request
            return 0;
        } finally {
            lock().unlock(asOwner);
        }
    }

    /** Notes that an event was fetched: the next request must differ from the last. */
    public void eventFetched() {
        events.incrementAndGet();
    }

    /**
     * Disowns all current completions with a queue pair's number: the queue pair is new, in RESET, or destroyed.
     * Releases those at the front of the queue.
     *
     * @param sends the send queue, or null if its completions go elsewhere
     * @param receives the receive queue, or null if its completions go elsewhere
     */
    public void renounce(SendRing sends, ReceiveRing receives) {
        boolean asOwner = lock().lockOnce();
        try {
            if (isClosed() || isHandedOver()) {
                return;
            }
            long produced = consumed;
            while (produced - consumed < count && isThere(produced)) {
                produced++;
            }
            if (sends != null) {
                sends.since = produced;
            }
            if (receives != null) {
                receives.since = produced;
            }
            skip(produced);
            last = null;
        } finally {
            lock().unlock(asOwner);
        }
    }

    /**
     * Consumes leading completions without an owner, up to the first one that has an owner. A reader of single
     * completions has already copied the current one.
     */
    private void skip(long end) {
        long before = consumed;
        while (consumed != end) {
            long first = NativeMemory.getLong(place(consumed));
            Rings.Entry qp = rings.find((int) (first >>> 32) & SHORT);
            boolean isSend = (first >>> 25 & 3) == Descriptor.OF_SEND;
            if (qp != null && consumed >= (isSend ? qp.sends.since : qp.receives.since)) {
                break;
            }
            consumed++;
        }
        if (consumed != before) {
            giveBack();
        }
    }

    // ---- additional fields, for readers of single completions

    /** Returns whether a completion consumed no receive. */
    public static boolean isUnsolicited(long cqe) {
        return (NativeMemory.getByte(cqe + 3) & Descriptor.UNSOLICITED) != 0;
    }

    /** Returns whether a completion carries a GID, if its queue provides GIDs. */
    public static boolean hasGid(long cqe) {
        long first = NativeMemory.getLong(cqe);
        return (first >>> 25 & 3) != Descriptor.OF_SEND
                && (first >>> 28 & 7) != Descriptor.WRITE
                && NativeMemory.getShort(cqe + 8) == Descriptor.NO_HANDLE;
    }
}
