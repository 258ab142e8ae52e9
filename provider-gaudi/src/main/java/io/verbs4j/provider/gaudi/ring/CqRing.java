/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.Errno;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.ring.CompletionRing;
import java.util.Arrays;

/**
 * A port's completion queue, read in Java. A completion is there when the producer index is beyond it and its valid bit is set; who takes it
 * clears the bit, and tells the device the index of the next by a register.
 *
 * <pre>
 * completion  0 queue pair 0-23, requester 24, valid 31(4)  4 index of the descriptor(4)  8 tag(4)  12 size(4)
 * register    0 number of the queue(4)  4 consumer index(4)
 * </pre>
 *
 * <p>The device completes what went well, and says nothing of the rest. What queue pairs that broke had pending is found here
 * behind what the device has written: {@link SendRing}. That one broke an event says; for who reads none, polls that find nothing for long have
 * those doubted that wait for something, outside the lock.
 */
public final class CqRing extends CompletionRing {
    /** Where a queue is. */
    public record Place(
            /* Address of the first completion. */ long buffer,
            /* How many there are, a power of two. */ int size,
            /* Address of the producer index. */ long producer,
            /* Address of the register. */ long register,
            /* The queue's number, of its port. */ int number) {}

    private static final int SIZE = 16; // bytes of a completion
    private static final int TAG = 8;
    private static final int VALID = 1 << 31;
    private static final int QP = 0xff_ffff;

    /** So many polls that find nothing have queue pairs doubted: some 100 µs of a thread that does nothing else. */
    static final int IDLE_POLLS = 4096;

    /** Of how many that is at a time: each is a call of the kernel, and a completion may come meanwhile. */
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
    private SendRing broken; // the first of those that are
    private volatile SendRing[] senders = NONE; // never changed, but replaced
    private int idle; // polls that found nothing: about, as it has no lock; and so is what follows
    private int turn; // whose it is to be doubted

    /** A queue over memory that the device shares, of a port with these queue pairs. */
    public CqRing(Place where, PortRings rings, RingLock lock) {
        super(lock);
        buffer = where.buffer();
        mask = where.size() - 1;
        producer = where.producer();
        register = where.register();
        number = where.number() & 0xffff_ffffL;
        this.rings = rings;
    }

    /** Takes completions; how many, or the negative of an errno. */
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

    /** A poll, which is over, found nothing. */
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
            SendRing sends = all[Math.min(turn, all.length - 1)]; // others may do this, too
            if (sends.isPending()) {
                sends.doubt();
                asked++;
            }
        }
    }

    /** A queue pair whose requests complete here, till {@link #forget}. */
    public synchronized void expect(SendRing sends) {
        SendRing[] more = Arrays.copyOf(senders, senders.length + 1);
        more[senders.length] = sends;
        senders = more;
    }

    /** Nothing more completes of a queue pair. */
    public synchronized void forget(SendRing sends) {
        senders = Arrays.stream(senders).filter(s -> s != sends).toArray(SendRing[]::new);
    }

    /** Whether it is destroyed. */
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

    /** Where the next completion of the device's is, or 0. */
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

    /** The next of those that the device does not complete: a place that is none of these, or 0. */
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
     * A queue pair is broken: what it has pending completes here, and what is posted still.
     *
     * @param sends with its lock held
     * @param status of the oldest, {@link io.verbs4j.WcStatus}
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

    /** What is here of a queue pair is nobody's: it is in RESET or gone. Gives back what is the oldest of that. */
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
                    NativeMemory.putInt(cqe, VALID); // number 0 is none
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
