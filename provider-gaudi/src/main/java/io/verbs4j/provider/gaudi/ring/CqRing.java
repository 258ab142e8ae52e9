/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.Errno;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.ring.CompletionRing;
import java.util.Arrays;

/**
 * A port's completion queue that Java reads. A completion is available when the producer index is beyond it and its
 * valid bit is set. The reader clears the bit, and writes the index of the next completion to a register.
 *
 * <pre>
 * completion  0 queue pair 0-23, requester 24, valid 31(4)  4 index of the descriptor(4)  8 tag(4)  12 size(4)
 * register    0 number of the queue(4)  4 consumer index(4)
 * </pre>
 *
 * <p>The device completes only successful requests. The pending requests of failed queue pairs are completed here,
 * after what the device has written; see {@link SendRing}. An event reports a failure. For programs that do not read
 * events, polling checks queue pairs with pending requests, outside the lock, when it has found nothing for a long
 * time.
 */
public final class CqRing extends CompletionRing {
    /** The memory layout of a queue. */
    public record Place(
            /* Address of the first completion. */ long buffer,
            /* Number of completions, a power of two. */ int size,
            /* Address of the producer index. */ long producer,
            /* Address of the register. */ long register,
            /* Number of the queue at its port. */ int number) {}

    private static final int SIZE = 16; // size of a completion in bytes
    private static final int TAG = 8;
    private static final int VALID = 1 << 31;
    private static final int QP = 0xff_ffff;

    /** Number of empty polls after which queue pairs are checked: about 100 µs of a thread that does nothing else. */
    static final int IDLE_POLLS = 4096;

    /** Number of queue pairs checked at a time: each check is a system call, and completions may arrive meanwhile. */
    static final int DOUBTED = 4;

    private static final SendRing[] NONE = {};

    private final long buffer;
    private final int mask;
    private final long producer;
    private final long register;
    private final long number;
    private final PortRings rings;
    private int consumed;
    private int told;
    private SendRing broken; // head of the list of failed queue pairs
    private volatile SendRing[] senders = NONE; // immutable array, replaced on change
    private int idle; // approximate number of empty polls; unguarded, as is the next field
    private int turn; // index of the queue pair checked last

    /** Creates the reader of a queue in memory shared with the device, for a port with these queue pairs. */
    public CqRing(Place where, PortRings rings, RingLock lock) {
        super(lock);
        buffer = where.buffer();
        mask = where.size() - 1;
        producer = where.producer();
        register = where.register();
        number = where.number() & 0xffff_ffffL;
        this.rings = rings;
    }

    /** Removes completions. Returns how many, or the negative of an errno. */
    public int poll(int numEntries, WorkCompletion[] wc) {
        if (numEntries < 0 || wc == null || numEntries > wc.length) {
            return -Errno.EINVAL;
        }
        int taken = pollWhole(numEntries, wc);
        if (taken == 0) {
            foundNothing();
        }
        return taken;
    }

    private int pollWhole(int numEntries, WorkCompletion[] wc) {
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

    /** Counts an empty poll; call this after the poll has ended. */
    public void foundNothing() {
        if (++idle >= IDLE_POLLS) {
            idle = 0;
            doubt();
        }
    }

    private void doubt() {
        SendRing[] all = senders;
        int asked = 0;
        for (int i = 0; i < all.length && asked < DOUBTED; i++) {
            turn = turn + 1 < all.length ? turn + 1 : 0;
            SendRing sends = all[Math.min(turn, all.length - 1)]; // other threads may do this concurrently
            if (sends.isPending()) {
                sends.doubt();
                asked++;
            }
        }
    }

    /** Adds a queue pair whose requests complete here, until {@link #forget}. */
    public synchronized void expect(SendRing sends) {
        SendRing[] more = Arrays.copyOf(senders, senders.length + 1);
        more[senders.length] = sends;
        senders = more;
    }

    /** Removes a queue pair whose requests no longer complete here. */
    public synchronized void forget(SendRing sends) {
        senders = Arrays.stream(senders).filter(s -> s != sends).toArray(SendRing[]::new);
    }

    /** Returns whether the queue is destroyed. */
    public boolean isEnded() {
        boolean asOwner = lock().lockOnce();
        try {
            return isClosed();
        } finally {
            lock().unlock(asOwner);
        }
    }

    private int pollOpen(int numEntries, WorkCompletion[] wc) {
        int taken = 0;
        while (taken < numEntries) {
            WorkCompletion to = wc[taken];
            if (to == null) {
                taken = taken == 0 ? -Errno.EINVAL : taken;
                break;
            }
            if (next(to.expect(0)) == 0) {
                break;
            }
            taken++;
        }
        giveBack();
        return taken;
    }

    /** Returns the address of the device's next completion, or 0. */
    private long there() {
        int at = consumed;
        if ((int) NativeMemory.getLongAcquire(producer) == at) {
            return 0;
        }
        long cqe = NativeMemory.piece(buffer + (long) (at & mask) * SIZE);
        return (int) NativeMemory.getLongAcquire(cqe) < 0 ? cqe : 0;
    }

    @Override
    protected long next(WorkCompletion to) {
        rings.settle();
        for (long cqe = there(); cqe != 0; cqe = there()) {
            int qpNum = NativeMemory.getInt(cqe) & QP;
            int tag = NativeMemory.getInt(cqe + TAG);
            NativeMemory.putInt(cqe, 0);
            consumed++;
            SendRing sends = rings.find(qpNum);
            if (sends != null && sends.complete(tag, to)) {
                to.qpNum(qpNum);
                return cqe;
            }
        }
        return broken == null ? 0 : flushed(to);
    }

    /**
     * Completes the next request that the device does not complete. Returns an address that is no completion's, or 0 if
     * there is none.
     */
    private long flushed(WorkCompletion to) {
        for (SendRing s = broken; s != null; s = s.nextBroken) {
            if (s.flush(to)) {
                return producer;
            }
        }
        return 0;
    }

    @Override
    protected void giveBack() {
        if (told != consumed) {
            told = consumed;
            NativeMemory.putLongRelease(register, (long) told << Integer.SIZE | number);
        }
    }

    /**
     * Marks a queue pair as failed: its pending requests, and those that are still posted, complete here.
     *
     * @param sends the send queue, whose lock must be held
     * @param status status of the oldest request, {@link io.verbs4j.WcStatus}
     */
    public void flush(SendRing sends, int status, int syndrome) {
        boolean asOwner = lock().lockOnce();
        try {
            if (sends.flushes || isClosed() || !sends.breaks()) {
                return; // the first reason stays
            }
            sends.flushBy(status, syndrome);
            sends.nextBroken = broken;
            broken = sends;
        } finally {
            lock().unlock(asOwner);
        }
    }

    /**
     * Disowns all completions of a queue pair that is in RESET or destroyed. Releases those at the front of the queue.
     */
    public void renounce(SendRing sends, int qpNum) {
        boolean asOwner = lock().lockOnce();
        try {
            if (isClosed()) {
                return;
            }
            mend(sends);
            int end = (int) NativeMemory.getLongAcquire(producer);
            for (int i = consumed; i != end; i++) {
                long cqe = buffer + (long) (i & mask) * SIZE;
                if ((NativeMemory.getInt(cqe) & QP) == qpNum) {
                    NativeMemory.putInt(cqe, VALID); // queue pair number 0 is never used
                }
            }
            while (there() != 0 && (NativeMemory.getInt(there()) & QP) == 0) {
                NativeMemory.putInt(there(), 0);
                consumed++;
            }
            giveBack();
        } finally {
            lock().unlock(asOwner);
        }
    }

    private void mend(SendRing sends) {
        SendRing kept = null;
        for (SendRing s = broken; s != null; ) {
            SendRing next = s.nextBroken;
            s.nextBroken = null;
            if (s != sends) {
                s.nextBroken = kept;
                kept = s;
            }
            s = next;
        }
        broken = kept;
        sends.flushes = false;
    }
}
