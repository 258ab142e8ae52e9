/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.CqeLayout;
import io.verbs4j.provider.mlx5.layout.ErrCqeLayout;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.SendMarkers;
import io.verbs4j.rdmacore.ring.CompletionRing;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A completion queue that Java reads. A completion belongs to Java if its owner bit has the parity of the current
 * round; the byte with that bit is read before anything else.
 */
// Longer than 500 lines because a completion is read in one pass without calls to other objects, in each of the ways in
// which programs poll.
public final class CqRing extends CompletionRing {
    private static final int CI_RECORD = 0;
    private static final int ARM_RECORD = 4;
    private static final int ARM_REGISTER = 0x20;
    private static final int ARM_SOLICITED = 1 << 24;
    private static final int OF_XRC = -1; // in place of a queue pair number
    private static final int OF_FRAMES = -2; // likewise

    private long buf; // like first and count, changed under the lock
    private long first; // address of the completion in the first entry
    private int count;
    private final int size;
    private final int sizeLog;
    private final long dbrec;
    private final long armRegister;
    private final int number;
    private final Rings rings;
    private final Scatter scatter;
    private final SendMarkers markers;
    private final AtomicInteger armed = new AtomicInteger();
    private final CompletionCount waits;
    private Rings.Entry last;
    private final XrcReceives xrcReceives = new XrcReceives(this);
    private final FrameReceives frameReceives = new FrameReceives(this);
    private FrameReceives frames; // null until a queue that receives frames is attached
    private int consumed;

    /** Creates a queue over memory shared with the device, of {@code count} entries of {@code size} bytes. */
    public CqRing(
            long buf,
            int count,
            int size,
            long dbrec,
            long uar,
            int number,
            Rings rings,
            RegionTable regions,
            SendMarkers markers,
            RingLock lock) {
        super(lock);
        this.buf = buf;
        this.first = buf + size - Cqe.SIZE;
        this.count = count;
        this.size = size;
        this.sizeLog = Integer.numberOfTrailingZeros(size);
        this.dbrec = dbrec;
        this.armRegister = uar + ARM_REGISTER;
        this.number = number;
        this.waits = new CompletionCount(number);
        this.rings = rings;
        this.markers = markers;
        this.scatter = new Scatter(regions, rings.mrKeys());
    }

    /**
     * Hands the queue over to device code, for good. Polling fails with EBUSY from then on.
     *
     * @param most how many queue pairs may use the queue
     * @return where the queue is, and where it stands
     * @throws VerbsException {@link Errno#EBUSY} if a completion is waiting or the queue was handed over before;
     *     {@link Errno#EINVAL} if more queue pairs, or queues of frames, use it
     */
    public HandedCompletions handOver(int most) {
        if (frames != null) {
            throw new VerbsException(
                    Errno.EINVAL, HandedSends.VERB, "queues of frames use the completion queue; use another one");
        }
        handOver(HandedSends.VERB, most, () -> ours(consumed) != 0);
        return new HandedCompletions(buf, count, size, dbrec, number, consumed);
    }

    /** Returns the count of its completions that requests have waited for. */
    public CrossCounter waits() {
        return waits;
    }

    /** Takes completions; returns their number, or the negative of an errno. */
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
                if (isClosed() || isHandedOver()) {
                    return isClosed() ? -Errno.EINVAL : -Errno.EBUSY;
                }
            } finally {
                lock().unlock(asOwner);
            }
        } while (awaitTurn());
        return -Errno.EBUSY;
    }

    @Override
    protected long next(WorkCompletion to) {
        for (long cqe = ours(consumed); cqe != 0; cqe = ours(consumed)) {
            consumed++;
            int operation = NativeMemory.getNetInt(cqe + CqeLayout.SOP_DROP_QPN);
            int qpNum = operation & Cqe.NUMBER;
            if (last == null || last.key() != qpNum) {
                last = rings.find(qpNum);
            }
            if (read(cqe, NativeMemory.getByte(cqe + CqeLayout.OP_OWN), operation, last, to.qpNum(qpNum))) {
                return cqe;
            }
        }
        return 0;
    }

    /**
     * Takes the next completion, which remains in place until {@link #giveBack}; returns its address, or 0.
     *
     * @param to receives its id, status and opcode; a failed completion has no opcode
     */
    long nextInPlace(WorkCompletion to) {
        while (true) {
            int index = consumed;
            int places = count;
            long cqe = NativeMemory.piece(first + ((long) (index & places - 1) << sizeLog));
            int owner = NativeMemory.getByteAcquire(cqe + CqeLayout.OP_OWN);
            if (isDevices(owner, index & places)) {
                return 0;
            }
            consumed = index + 1;
            int operation = NativeMemory.getNetInt(cqe + CqeLayout.SOP_DROP_QPN);
            int qpNum = operation & Cqe.NUMBER;
            Rings.Entry qp = last;
            if (qp == null || qp.key() != qpNum) {
                qp = rings.find(qpNum);
                last = qp;
            }
            if (take(cqe, owner, operation >>> 24, qp, to)) {
                return cqe;
            }
        }
    }

    /** Reads a completion as {@link #read} does, except for what can be read later. */
    private boolean take(long cqe, int owner, int operation, Rings.Entry qp, WorkCompletion to) {
        int kind = owner >>> 4;
        int counter = NativeMemory.getNetShort(cqe + CqeLayout.WQE_COUNTER);
        if (kind == Cqe.REQUESTER) {
            SendRing sends = qp == null ? null : qp.sends;
            if (sends == null) {
                return false;
            }
            to.opcode(
                            operation == Wqe.OP_RDMA_WRITE
                                    ? WcOpcode.RDMA_WRITE
                                    : operation == Wqe.OP_UMR ? sends.completeKey(counter) : Wqe.wcOpcode(operation))
                    .status((owner & Cqe.COMPRESSED) == 0 ? WcStatus.SUCCESS : scatterSend(cqe, owner, counter, sends))
                    .wrId(sends.complete(counter));
            return !isMarker(qp.key(), to);
        }
        return kind == Cqe.REQUESTER_ERROR || kind == Cqe.RESPONDER_ERROR
                ? readFailed(cqe, kind, counter, qp, to)
                : kind <= Cqe.RECEIVED_SEND_INV && takeReceive(cqe, owner, kind, counter, qp, to);
    }

    @Override
    protected void giveBack() {
        NativeMemory.putIntRelease(dbrec + CI_RECORD, NativeMemory.fromNetwork(consumed & Cqe.NUMBER));
    }

    /**
     * Keeps in local variables what does not change: reading an owner bit makes the compiler reload everything else
     * from memory.
     */
    private int pollOpen(int numEntries, WorkCompletion[] wc) {
        long ring = first;
        int places = count;
        int step = size;
        int before = consumed;
        int next = before;
        int taken = 0;
        Rings.Entry qp = last;
        while (taken < numEntries) {
            long cqe = NativeMemory.piece(ring + (long) (next & places - 1) * step);
            int owner = NativeMemory.getByteAcquire(cqe + CqeLayout.OP_OWN);
            if (isDevices(owner, next & places)) {
                break;
            }
            WorkCompletion to = wc[taken];
            if (to == null) {
                taken = taken == 0 ? -Errno.EINVAL : taken;
                break;
            }
            next++;
            int operation = NativeMemory.getNetInt(cqe + CqeLayout.SOP_DROP_QPN);
            int qpNum = operation & Cqe.NUMBER;
            if (qp == null || qp.key() != qpNum) {
                qp = rings.find(qpNum);
            }
            if (read(cqe, owner, operation, qp, to.expect(0).qpNum(qpNum))) {
                taken++;
            }
        }
        if (next != before) {
            last = qp;
            consumed = next;
            giveBack();
        }
        return taken;
    }

    /**
     * Returns whether the device has yet to write an entry, in the round that {@code round}, a bit of the index, stands
     * for.
     */
    private static boolean isDevices(int owner, int round) {
        return owner >>> 4 == Cqe.INVALID || (owner & Cqe.OWNER_BIT) != 0 != (round != 0);
    }

    /** Returns the completion at an index if the device has written it, otherwise 0. */
    private long ours(int index) {
        long cqe = NativeMemory.piece(first + ((long) (index & count - 1) << sizeLog));
        return isDevices(NativeMemory.getByteAcquire(cqe + CqeLayout.OP_OWN), index & count) ? 0 : cqe;
    }

    /** Reads a completion; returns false if its queue pair is gone. */
    private boolean read(long cqe, int owner, int operation, Rings.Entry qp, WorkCompletion wc) {
        int kind = owner >>> 4;
        int counter = NativeMemory.getNetShort(cqe + CqeLayout.WQE_COUNTER);
        if (kind == Cqe.REQUESTER) {
            SendRing sends = qp == null ? null : qp.sends;
            return sends != null && readSend(cqe, owner, operation >>> 24, counter, sends, wc);
        }
        return kind == Cqe.REQUESTER_ERROR || kind == Cqe.RESPONDER_ERROR
                ? readFailed(cqe, kind, counter, qp, wc)
                : kind <= Cqe.RECEIVED_SEND_INV && readReceive(cqe, owner, kind, counter, qp, wc);
    }

    private boolean readSend(long cqe, int owner, int operation, int counter, SendRing sends, WorkCompletion wc) {
        int status = WcStatus.SUCCESS;
        int flags = 0;
        int opcode;
        if (operation == Wqe.OP_RDMA_WRITE) {
            opcode = WcOpcode.RDMA_WRITE;
        } else if (operation == Wqe.OP_SEND || operation == Wqe.OP_SEND_INVAL) {
            opcode = WcOpcode.SEND;
        } else if (operation == Wqe.OP_UMR) {
            opcode = sends.completeKey(counter);
        } else {
            opcode = Wqe.wcOpcode(operation);
            if (operation == Wqe.OP_SEND_IMM || operation == Wqe.OP_RDMA_WRITE_IMM) {
                flags = WcFlags.WITH_IMM;
            } else if (operation != Wqe.OP_NOP && operation != Wqe.OP_TSO) {
                wc.byteLen(
                        operation == Wqe.OP_ATOMIC_CS || operation == Wqe.OP_ATOMIC_FA
                                ? Wqe.ATOMIC_SIZE
                                : NativeMemory.getNetInt(cqe + CqeLayout.BYTE_CNT));
            }
            if ((owner & Cqe.COMPRESSED) != 0) {
                status = scatterSend(cqe, owner, counter, sends);
            }
        }
        wc.opcode(opcode).status(status).vendorErr(0).wcFlags(flags).wrId(sends.complete(counter));
        return !isMarker(wc.qpNum(), wc);
    }

    private boolean isMarker(int qpNum, WorkCompletion wc) {
        return wc.wrId() == SendMarkers.WR_ID && markers.reached(qpNum, wc.status());
    }

    private int scatterSend(long cqe, int owner, int counter, SendRing sends) {
        int length = NativeMemory.getNetInt(cqe + CqeLayout.BYTE_CNT);
        return scatter.toSend(sends, counter, data(cqe, owner), length);
    }

    private boolean readFailed(long cqe, int kind, int counter, Rings.Entry qp, WorkCompletion wc) {
        if (kind == Cqe.REQUESTER_ERROR) {
            if (qp == null || qp.sends == null) {
                return false;
            }
            qp.sends.failedAt(counter);
            wc.wrId(qp.sends.complete(counter));
            qp.sends.failed(wc.wrId(), Cqe.status(NativeMemory.getByte(cqe + ErrCqeLayout.SYNDROME)));
        } else if (!completeFailed(cqe, counter, qp, wc)) {
            return false;
        }
        wc.status(Cqe.status(NativeMemory.getByte(cqe + ErrCqeLayout.SYNDROME)))
                .vendorErr(NativeMemory.getByte(cqe + ErrCqeLayout.VENDOR_ERR_SYND))
                .wcFlags(0);
        return kind != Cqe.REQUESTER_ERROR || !isMarker(qp.key(), wc);
    }

    /** Completes a failed receive; returns false if its queue is gone. */
    private boolean completeFailed(long cqe, int counter, Rings.Entry qp, WorkCompletion wc) {
        FrameQueue queue = frameQueue(cqe);
        if (queue != null) {
            wc.wrId(queue.receives.complete(counter));
            return true;
        }
        SharedRing shared = shared(cqe, qp);
        if (!hasReceiver(shared, qp, counter)) {
            return false;
        }
        wc.wrId(completeReceive(shared, qp, counter));
        return true;
    }

    private static long data(long cqe, int owner) {
        return (owner & Cqe.SCATTER_32) != 0 ? cqe : cqe - Cqe.SIZE;
    }

    /** Returns the frame queue that a receive belongs to, or null. */
    private FrameQueue frameQueue(long cqe) {
        FrameReceives all = frames;
        return all == null ? null : all.find(userIndex(cqe));
    }

    private SharedRing shared(long cqe, Rings.Entry qp) {
        if (qp != null) {
            return qp.shared;
        }
        return xrcReceives.find(userIndex(cqe));
    }

    /** Returns whether the queue of the receive is known. */
    private static boolean hasReceiver(SharedRing shared, Rings.Entry qp, int counter) {
        return shared != null ? shared.has(counter) : qp != null && qp.receives != null;
    }

    /** Completes the receive and returns its id. */
    private static long completeReceive(SharedRing shared, Rings.Entry qp, int counter) {
        return shared != null ? shared.complete(counter) : qp.receives.complete(counter);
    }

    /**
     * Completes a receive: applies its effects, and sets its id, status, opcode and the flags that only frames have.
     */
    private boolean takeReceive(long cqe, int owner, int kind, int counter, Rings.Entry qp, WorkCompletion wc) {
        int status = WcStatus.SUCCESS;
        if ((owner & Cqe.COMPRESSED) == Cqe.COMPRESSED) {
            return false; // an array of compressed completions, which was never requested
        }
        FrameQueue queue = frameQueue(cqe);
        if (queue != null) {
            wc.wrId(queue.receives.complete(counter))
                    .status(WcStatus.SUCCESS)
                    .opcode(WcOpcode.RECV)
                    .wcFlags(queue.flags(cqe));
            return true;
        }
        SharedRing shared = shared(cqe, qp);
        if (!hasReceiver(shared, qp, counter)) {
            return false;
        }
        if ((owner & Cqe.COMPRESSED) != 0) {
            int length = NativeMemory.getNetInt(cqe + CqeLayout.BYTE_CNT);
            status = shared != null
                    ? scatter.toReceive(
                            shared.elementAt(counter) + Wqe.SEGMENT, shared.maxSge(), data(cqe, owner), length)
                    : scatter.toReceive(qp.receives.elementAt(counter), qp.receives.maxSge(), data(cqe, owner), length);
        }
        wc.wrId(completeReceive(shared, qp, counter));
        if (kind == Cqe.RECEIVED_SEND_INV) {
            rings.mrKeys().takenBack(NativeMemory.getNetInt(cqe + CqeLayout.IMM_INVAL_PKEY));
        }
        wc.status(status)
                .opcode(kind == Cqe.RECEIVED_WRITE_IMM ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV)
                .wcFlags(0);
        return true;
    }

    private boolean readReceive(long cqe, int owner, int kind, int counter, Rings.Entry qp, WorkCompletion wc) {
        if (!takeReceive(cqe, owner, kind, counter, qp, wc)) {
            return false;
        }
        int immediate = NativeMemory.getNetInt(cqe + CqeLayout.IMM_INVAL_PKEY);
        int flags = Cqe.receiveFlags(cqe, owner, kind) | wc.wcFlags();
        wc.vendorErr(0)
                .byteLen(NativeMemory.getNetInt(cqe + CqeLayout.BYTE_CNT))
                .slid(Cqe.slid(cqe, owner))
                .sl(Cqe.sl(cqe, owner))
                .srcQp(Cqe.srcQp(cqe, owner))
                .dlidPathBits(Cqe.dlidPathBits(cqe, owner))
                .pkeyIndex(immediate & 0xffff)
                .wcFlags(flags);
        if ((flags & (WcFlags.WITH_IMM | WcFlags.WITH_INV)) != 0) {
            wc.immData(immediate); // or the invalidated key, in the same field
        }
        return true;
    }

    /** Requests an event for the next completion; returns 0 or an errno. */
    public int arm(boolean solicitedOnly) {
        boolean asOwner = lock().lock();
        try {
            if (isClosed() || isHandedOver()) {
                return isClosed() ? Errno.EINVAL : Errno.EBUSY;
            }
            int word = (armed.get() & 3) << 28 | (solicitedOnly ? ARM_SOLICITED : 0) | consumed & Cqe.NUMBER;
            NativeMemory.exchangeInt(dbrec + ARM_RECORD, NativeMemory.fromNetwork(word));
            NativeMemory.putLongRelease(armRegister, NativeMemory.fromNetwork(Wqe.words(word, number)));
            NativeMemory.fullFence();
            return 0;
        } finally {
            lock().unlock(asOwner);
        }
    }

    /** Notes that an event was fetched: the next request for one must differ from the last. */
    public void eventFetched() {
        armed.incrementAndGet();
    }

    /** Returns the shared receive queues of type XRC whose completions arrive here. */
    public XrcReceives xrcReceives() {
        return xrcReceives;
    }

    /** Returns the queues whose frames complete here. */
    public FrameReceives frameReceives() {
        return frameReceives;
    }

    /** From now on, checks whether completions are of frames. The lock is held. */
    void readFrames() {
        frames = frameReceives;
    }

    /** Runs a body while no thread polls either queue. They may be the same, and either may be null. */
    static void whileNobodyPolls(CqRing one, CqRing other, Runnable body) {
        if (one == null || other == null || one == other) {
            CqRing only = one == null ? other : one;
            if (only == null) {
                body.run();
            } else {
                only.lock().locked(body);
            }
            return;
        }
        boolean inOrder = one.number < other.number; // the same order everywhere prevents deadlocks
        RingLock inner = (inOrder ? other : one).lock();
        (inOrder ? one : other).lock().locked(() -> inner.locked(body));
    }

    /**
     * Checks whether the last request of a queue pair or its marker has completed, without taking completions. Does
     * nothing while a thread reads completions one by one.
     */
    public void lookForMarker(int qpNum) {
        boolean asOwner = lock().lockOnce();
        try {
            Rings.Entry qp = isReady() ? rings.find(qpNum) : null;
            long cqe = qp == null || qp.sends == null ? 0 : ours(consumed);
            for (int i = consumed; cqe != 0; cqe = ++i - consumed < count ? ours(i) : 0) {
                int counter = NativeMemory.getNetShort(cqe + CqeLayout.WQE_COUNTER);
                boolean ours = numberOf(cqe) == qpNum && !isReceive(cqe);
                if (ours && NativeMemory.getByte(cqe + CqeLayout.OP_OWN) >>> 4 == Cqe.REQUESTER) {
                    if (qp.sends.isMarker(counter) || qp.sends.isLast(counter)) {
                        markers.reached(qpNum, WcStatus.SUCCESS);
                    }
                } else if (ours && qp.sends.isMarker(counter)) {
                    markers.reached(qpNum, Cqe.status(NativeMemory.getByte(cqe + ErrCqeLayout.SYNDROME)));
                } else if (ours) { // a request of the program's has failed; its completion is left for the program
                    qp.sends.failed();
                    if (qp.sends.isLast(counter)) {
                        markers.reached(qpNum, WcStatus.WR_FLUSH_ERR);
                    }
                }
            }
        } finally {
            lock().unlock(asOwner);
        }
    }

    /**
     * Removes the completions of a queue pair that is in RESET; its receives are returned to the shared receive queue.
     */
    public void clean(int qpNum, SharedRing shared) {
        boolean asOwner = lock().lockOnce();
        try {
            drop(qpNum, shared);
        } finally {
            lock().unlock(asOwner);
        }
    }

    /** Removes completions as {@link #clean} does, of a queue pair that may be gone. The lock is held. */
    void drop(int qpNum, SharedRing shared) {
        last = null;
        markers.release(qpNum);
        drop(qpNum, shared, 0);
    }

    /**
     * Removes the completions of a shared receive queue of type XRC that is gone; of all such queues if the index is
     * negative. The lock is held.
     */
    void dropXrc(int index) {
        drop(OF_XRC, null, index);
    }

    /** Removes the completions of a frame queue that is gone or starts again. The lock is held. */
    void dropFrames(int index) {
        drop(OF_FRAMES, null, index);
    }

    /**
     * Removes completions, from the newest to the oldest, so that remaining ones are moved over removed ones. Does not
     * allocate, because the objects are already destroyed.
     */
    private void drop(int qpNum, SharedRing shared, int index) {
        if (isClosed() || isHandedOver()) {
            return;
        }
        int produced = consumed;
        while (produced - consumed < count && ours(produced) != 0) {
            produced++;
        }
        int gone = 0;
        for (int i = produced - 1; i - consumed >= 0; i--) {
            long cqe = place(i) + size - Cqe.SIZE;
            if (isOf(cqe, qpNum, index)) {
                int counter = NativeMemory.getNetShort(cqe + CqeLayout.WQE_COUNTER);
                if (shared != null && isReceive(cqe) && shared.has(counter)) {
                    shared.complete(counter);
                }
                gone++;
            } else if (gone != 0) {
                move(i, i + gone);
            }
        }
        if (gone != 0) {
            consumed += gone;
            if (turn().isFree()) {
                giveBack(); // otherwise the reader does so at the end: its current completion is still in place
            }
        }
    }

    private boolean isOf(long cqe, int qpNum, int index) {
        return switch (qpNum) {
            case OF_XRC -> isOfXrc(cqe, index);
            case OF_FRAMES -> isReceive(cqe) && userIndex(cqe) == index;
            default -> numberOf(cqe) == qpNum && !(isReceive(cqe) && frameQueue(cqe) != null); // a flow tag otherwise
        };
    }

    private boolean isOfXrc(long cqe, int index) {
        return isReceive(cqe)
                && (index < 0 ? frameQueue(cqe) == null : userIndex(cqe) == index)
                && rings.find(numberOf(cqe)) == null;
    }

    private static int numberOf(long cqe) {
        return NativeMemory.getNetInt(cqe + CqeLayout.SOP_DROP_QPN) & Cqe.NUMBER;
    }

    private static int userIndex(long cqe) {
        return NativeMemory.getNetInt(cqe + CqeLayout.SRQN_UIDX) & Cqe.NUMBER;
    }

    private static boolean isReceive(long cqe) {
        int kind = NativeMemory.getByte(cqe + CqeLayout.OP_OWN) >>> 4;
        return kind != Cqe.REQUESTER && kind != Cqe.REQUESTER_ERROR;
    }

    private long place(int index) {
        return NativeMemory.piece(buf + (long) (index & count - 1) * size);
    }

    /** Copies a completion to a later entry, which keeps its owner bit. */
    private void move(int from, int to) {
        long ownerAt = place(to) + size - Cqe.SIZE + CqeLayout.OP_OWN;
        int bit = NativeMemory.getByte(ownerAt) & Cqe.OWNER_BIT;
        NativeMemory.copy(place(from), place(to), size);
        NativeMemory.putByte(ownerAt, NativeMemory.getByte(ownerAt) & ~Cqe.OWNER_BIT | bit);
    }

    /** Returns the number of entries. */
    public int count() {
        return count;
    }

    /** Returns the size of an entry in bytes. */
    public int size() {
        return size;
    }

    /**
     * Moves the queue to other memory. Completions that were not polled are copied there, shifted by one entry, because
     * the device's last completion in the old memory, which announces the move, counts as one. The device continues
     * after them.
     *
     * @param command makes the device move; if it throws, everything remains as it was
     */
    public void resize(long newBuf, int newCount, Runnable command) {
        whileUnread("resize_cq", () -> {
            if (isClosed()) {
                throw new VerbsException(Errno.EINVAL, "resize_cq", "the completion queue is closed");
            }
            if (isHandedOver()) {
                throw new VerbsException(Errno.EBUSY, "resize_cq", "device code has this completion queue");
            }
            move(newBuf, newCount, command);
        });
    }

    private void move(long newBuf, int newCount, Runnable command) {
        for (int i = 0; i < newCount; i++) {
            NativeMemory.putByte(newBuf + (long) i * size + size - Cqe.SIZE + CqeLayout.OP_OWN, Cqe.INVALID << 4);
        }
        waits.moves();
        try {
            command.run();
        } catch (VerbsException e) {
            waits.stays();
            throw e;
        }
        int moved = consumed;
        for (long cqe = ours(moved); cqe != 0 && NativeMemory.getByte(cqe + CqeLayout.OP_OWN) >>> 4 != Cqe.MOVED; ) {
            long to = newBuf + (long) (moved + 1 & newCount - 1) * size;
            NativeMemory.copy(place(moved), to, size);
            long ownerAt = to + size - Cqe.SIZE + CqeLayout.OP_OWN;
            int bit = (moved + 1 & newCount) != 0 ? Cqe.OWNER_BIT : 0;
            NativeMemory.putByte(ownerAt, NativeMemory.getByte(ownerAt) & ~Cqe.OWNER_BIT | bit);
            cqe = ours(++moved);
        }
        consumed++;
        buf = newBuf;
        first = newBuf + size - Cqe.SIZE;
        count = newCount;
        giveBack();
    }
}
