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
 * A completion queue, read in Java. A completion is ours when its phase bit is that of the round; the bit is read together with the 8 bytes that it
 * is in, and nothing else before it.
 *
 * <p>The ring can't be written to: it is mapped for reading alone. So what a queue pair has left that is gone stays where it is, and is left out when
 * its turn comes: a queue pair knows from which completion on they are its own.
 *
 * <pre>
 * completion  0 id(2)  2 status(1)  3 flags(1)  4 queue pair(2)  6 of a send: upper id(6); of a receive: length(2)
 *             8 of a receive: address handle(2)  10 sender(2)  12 immediate(4)  16 upper length(2), or the sender's GID(16)
 * </pre>
 */
public final class CqRing extends CompletionRing {
    /** Where the sender's GID is. */
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
    private final AtomicInteger events = new AtomicInteger();
    private Rings.Entry last;
    private long consumed;
    private long told; // to the device

    /** A queue over memory that the device shares. */
    public CqRing(CqPlace where, Rings rings, RingLock lock) {
        super(lock);
        buf = where.buffer();
        count = where.numEntries();
        size = where.entrySize();
        doorbell = where.doorbell();
        this.rings = rings;
    }

    /** Takes completions; how many, or the negative of an errno. */
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
            } finally {
                lock().unlock(asOwner);
            }
        } while (awaitTurn());
        return -Errno.EBUSY;
    }

    /** What does not change is in local variables: reading a phase bit makes the compiler read all else from memory again. */
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

    /** Whether a place is the device's to write yet, in the round that a bit of the index is of. */
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
     * The store is not cached, and lies over a request for an event: as with libefa, there is none where nothing was
     * taken.
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

    /** Reads a completion; false where it is of a queue pair that is gone, or says what can't be. */
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
        if ((flags & Descriptor.UNSOLICITED) == 0) { // else it took no receive
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

    /** Asks for an event at the next completion; 0 or an errno. */
    public int arm(boolean solicitedOnly) {
        boolean asOwner = lock().lock();
        try {
            if (isClosed()) {
                return Errno.EINVAL;
            }
            if (solicitedOnly || doorbell == 0) {
                return Errno.EOPNOTSUPP;
            }
            told = consumed;
            NativeMemory.putIntRelease(doorbell, word() | ARM);
            NativeMemory.fullFence(); // what is polled for afterwards is read after it
            return 0;
        } finally {
            lock().unlock(asOwner);
        }
    }

    /** An event has come: the next request for one must differ from the last. */
    public void eventFetched() {
        events.incrementAndGet();
    }

    /**
     * What is here of a queue pair's number now is not its own: it is new, in RESET or gone. Gives back what is the oldest of that.
     *
     * @param sends null where its sends complete elsewhere
     * @param receives null where its receives do
     */
    public void renounce(SendRing sends, ReceiveRing receives) {
        boolean asOwner = lock().lockOnce();
        try {
            if (isClosed()) {
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

    /** Takes those that nobody waits for, up to the first that somebody does. Who reads one by one has copied what is current. */
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

    // ---- what only reading one by one gives

    /** Whether a completion took no receive. */
    public static boolean isUnsolicited(long cqe) {
        return (NativeMemory.getByte(cqe + 3) & Descriptor.UNSOLICITED) != 0;
    }

    /** Whether there is a GID in a completion, where its queue has them. */
    public static boolean hasGid(long cqe) {
        long first = NativeMemory.getLong(cqe);
        return (first >>> 25 & 3) != Descriptor.OF_SEND
                && (first >>> 28 & 7) != Descriptor.WRITE
                && NativeMemory.getShort(cqe + 8) == Descriptor.NO_HANDLE;
    }
}
