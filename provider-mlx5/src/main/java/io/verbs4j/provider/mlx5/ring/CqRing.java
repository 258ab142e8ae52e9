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
 * A completion queue, read in Java. A completion is ours when the owner bit has the parity of the round; the byte with that bit is
 * read first, and nothing else before it.
 */
public final class CqRing extends CompletionRing {
    private static final int CI_RECORD = 0;
    private static final int ARM_RECORD = 4;
    private static final int ARM_REGISTER = 0x20;
    private static final int ARM_SOLICITED = 1 << 24;
    private static final int OF_XRC = -1; // instead of a number
    private static final int OF_FRAMES = -2; // so

    private long buf; // changed, with first and count, under the lock
    private long first; // where the completion is in the first place
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
    private FrameReceives frames; // null until there is a queue that gets them
    private int consumed;

    /** A queue over memory that the device shares, of {@code count} places of {@code size} bytes. */
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

    /** How many of its completions were waited for. */
    public CrossCounter waits() {
        return waits;
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
     * Takes the next completion, which stays where it is till {@link #giveBack}; where it is, or 0.
     *
     * @param to gets its id, its status and its opcode; a completion that failed has none
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

    /** As {@link #read}, without what can be read later. */
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

    /** What does not change is in local variables: reading an owner bit makes the compiler read all else from memory again. */
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

    /** Whether a place is the device's to write yet, in the round that a bit of the index is of. */
    private static boolean isDevices(int owner, int round) {
        return owner >>> 4 == Cqe.INVALID || (owner & Cqe.OWNER_BIT) != 0 != (round != 0);
    }

    /** The completion at an index where the device has written it, else 0. */
    private long ours(int index) {
        long cqe = NativeMemory.piece(first + ((long) (index & count - 1) << sizeLog));
        return isDevices(NativeMemory.getByteAcquire(cqe + CqeLayout.OP_OWN), index & count) ? 0 : cqe;
    }

    /** Reads a completion; false where it is of a queue pair that is gone. */
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

    /** Of a receive that failed; false where it is of a queue that is gone. */
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

    /** The queue of frames that a receive is of; null where it is none. */
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

    /** Whether it is known whose receive it was. */
    private static boolean hasReceiver(SharedRing shared, Rings.Entry qp, int counter) {
        return shared != null ? shared.has(counter) : qp != null && qp.receives != null;
    }

    /** The id of the receive. */
    private static long completeReceive(SharedRing shared, Rings.Entry qp, int counter) {
        return shared != null ? shared.complete(counter) : qp.receives.complete(counter);
    }

    /** What a receive changes, its id, status and opcode, and the flags that only frames have. */
    private boolean takeReceive(long cqe, int owner, int kind, int counter, Rings.Entry qp, WorkCompletion wc) {
        int status = WcStatus.SUCCESS;
        if ((owner & Cqe.COMPRESSED) == Cqe.COMPRESSED) {
            return false; // an array of completions, which nobody has asked for
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
            wc.immData(immediate); // or the key, in the same place
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
            int word = (armed.get() & 3) << 28 | (solicitedOnly ? ARM_SOLICITED : 0) | consumed & Cqe.NUMBER;
            NativeMemory.exchangeInt(dbrec + ARM_RECORD, NativeMemory.fromNetwork(word));
            NativeMemory.putLongRelease(armRegister, NativeMemory.fromNetwork(Wqe.words(word, number)));
            NativeMemory.fullFence();
            return 0;
        } finally {
            lock().unlock(asOwner);
        }
    }

    /** An event has come: the next request for one must differ from the last. */
    public void eventFetched() {
        armed.incrementAndGet();
    }

    /** The shared receive queues of type XRC whose completions come here. */
    public XrcReceives xrcReceives() {
        return xrcReceives;
    }

    /** The queues whose frames complete here. */
    public FrameReceives frameReceives() {
        return frameReceives;
    }

    /** From now on completions may be of frames. The lock is held. */
    void readFrames() {
        frames = frameReceives;
    }

    /** Does something while nobody polls one queue or the other, which may be the same; either may be null. */
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
        boolean inOrder = one.number < other.number; // the same for all, so that no two wait for each other
        RingLock inner = (inOrder ? other : one).lock();
        (inOrder ? one : other).lock().locked(() -> inner.locked(body));
    }

    /**
     * Looks whether the last request of a queue pair has completed, or its marker, and takes nothing. Does nothing
     * while somebody reads completions one by one.
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
                } else if (ours) { // the program's own has failed, and stays for it
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

    /** Removes the completions of a queue pair that is in RESET; its receives go back to the shared queue. */
    public void clean(int qpNum, SharedRing shared) {
        boolean asOwner = lock().lockOnce();
        try {
            drop(qpNum, shared);
        } finally {
            lock().unlock(asOwner);
        }
    }

    /** As {@link #clean}, for one that may be gone. The lock is held. */
    void drop(int qpNum, SharedRing shared) {
        last = null;
        markers.release(qpNum);
        drop(qpNum, shared, 0);
    }

    /**
     * Removes those of a shared receive queue of type XRC that is gone; of all, where its index is negative. The lock
     * is held.
     */
    void dropXrc(int index) {
        drop(OF_XRC, null, index);
    }

    /** Removes those of a queue of frames, that is gone or begins anew. The lock is held. */
    void dropFrames(int index) {
        drop(OF_FRAMES, null, index);
    }

    /**
     * From the newest to the oldest, so that what stays is moved up over what goes. Allocates nothing: what was
     * destroyed is gone already.
     */
    private void drop(int qpNum, SharedRing shared, int index) {
        if (isClosed()) {
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
                giveBack(); // else whoever reads does, at the end: what is current is in its place still
            }
        }
    }

    private boolean isOf(long cqe, int qpNum, int index) {
        return switch (qpNum) {
            case OF_XRC -> isOfXrc(cqe, index);
            case OF_FRAMES -> isReceive(cqe) && userIndex(cqe) == index;
            default -> numberOf(cqe) == qpNum && !(isReceive(cqe) && frameQueue(cqe) != null); // else it is a tag
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

    /** Copies a completion to a later place, whose own owner bit stays. */
    private void move(int from, int to) {
        long ownerAt = place(to) + size - Cqe.SIZE + CqeLayout.OP_OWN;
        int bit = NativeMemory.getByte(ownerAt) & Cqe.OWNER_BIT;
        NativeMemory.copy(place(from), place(to), size);
        NativeMemory.putByte(ownerAt, NativeMemory.getByte(ownerAt) & ~Cqe.OWNER_BIT | bit);
    }

    /** How many places the queue has. */
    public int count() {
        return count;
    }

    /** The size of a place in bytes. */
    public int size() {
        return size;
    }

    /**
     * Moves to other memory. What was not polled is copied there, one place further on: the device's last completion in the old memory,
     * which says that it has moved, counts as one. The device goes on behind them.
     *
     * @param command makes the device move; where it throws, all stays as it was
     */
    public void resize(long newBuf, int newCount, Runnable command) {
        whileUnread("resize_cq", () -> {
            if (isClosed()) {
                throw new VerbsException(Errno.EINVAL, "resize_cq", "the completion queue is closed");
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
