/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.lock;

import io.verbs4j.natives.call.ProcessBarrier;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Function;

/**
 * Guards a ring for the length of a post or poll. Most rings are used by one thread: the lock becomes that thread's
 * own, and taking it costs two plain stores then. When another thread wants it, it ends the ownership first, and the
 * lock is one that costs an atomic operation; a thread that takes it often enough without another between owns it anew.
 *
 * <p>How an owner and one who ends the ownership see each other: the owner writes {@code inside} and reads {@code over}
 * afterwards; the other writes {@code over} and reads {@code inside} afterwards. Both are of that ownership alone: a
 * thread that was held up between its look at who owns the lock and its {@code inside} may come when another owns it,
 * and must not be taken for that one. Without a fence a processor may do the owner's two the other way round, so the
 * other has a barrier run on all processors between its own two ({@link ProcessBarrier}). Where the kernel has none,
 * nobody ever owns the lock. The two fences in {@link Ownership#enter} make no machine code on x86-64; they keep the
 * compiler from changing the order, which {@code RingLockOrderIT} looks for in the machine code.
 */
public final class RingLock {
    private static final int OFTEN = 1_000;
    private static final VarHandle OWNER;
    private static final VarHandle OVER;
    private static final VarHandle INSIDE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            OWNER = lookup.findVarHandle(RingLock.class, "owner", Ownership.class);
            OVER = lookup.findVarHandle(Ownership.class, "over", boolean.class);
            INSIDE = lookup.findVarHandle(Ownership.class, "inside", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** That a thread owns the lock, until it is over. */
    static final class Ownership {
        private final Thread thread;
        private boolean over;

        @SuppressWarnings("UnusedVariable") // read through INSIDE
        private boolean inside;

        Ownership(Thread thread, boolean over) {
            this.thread = thread;
            this.over = over;
        }

        /** Goes in, unless it is over. */
        boolean enter() {
            inside = true;
            VarHandle.releaseFence();
            VarHandle.acquireFence();
            if (!over) {
                return true;
            }
            leave();
            return false;
        }

        private void leave() {
            INSIDE.setRelease(this, false);
        }

        private boolean isInside() {
            return (boolean) INSIDE.getAcquire(this);
        }
    }

    private static final Ownership NOBODY = new Ownership(null, true);

    private final boolean singleThreaded;
    private final Function<Thread, Ownership> made;
    private final boolean oneThread;
    private final SpinLock others = new SpinLock();
    private Ownership owner; // changed by those who hold others, while no owner is inside
    private Thread last;
    private int inARow;
    private int often;

    /**
     * A lock that nobody holds.
     *
     * @param singleThreaded whether no two threads use the ring at a time, so that whoever comes owns it
     */
    public RingLock(boolean singleThreaded) {
        this(singleThreaded, OFTEN);
    }

    /** A lock that a thread owns which has taken it more often in a row than {@code often}. */
    public RingLock(boolean singleThreaded, int often) {
        this(singleThreaded, often, RingLock::own);
    }

    /** A lock whose ownerships are made in a certain way. */
    RingLock(boolean singleThreaded, int often, Function<Thread, Ownership> made) {
        this.made = made;
        this.often = often;
        this.inARow = often; // the first one owns it at once
        this.oneThread = singleThreaded;
        this.singleThreaded = singleThreaded && ProcessBarrier.isAvailable();
        this.owner = this.singleThreaded ? new Ownership(null, false) : NOBODY;
    }

    /** Whether the program says that no two threads use the ring at a time. */
    public boolean isForOneThread() {
        return oneThread;
    }

    /**
     * Waits for the lock and takes it, for a post or a poll.
     *
     * @return what {@link #unlock} is to be given
     */
    public boolean lock() {
        Ownership o = owner;
        if ((singleThreaded || o.thread == Thread.currentThread()) && o.enter()) {
            return true;
        }
        return lockOthers(true);
    }

    /** As {@link #lock}, for something that is done rarely: it does not make the thread an owner. */
    public boolean lockOnce() {
        return owner.thread == Thread.currentThread() || singleThreaded ? lock() : lockOthers(false);
    }

    /** Does something that is done rarely, with the lock. The body must not take it again. */
    public void locked(Runnable body) {
        boolean asOwner = lockOnce();
        try {
            body.run();
        } finally {
            unlock(asOwner);
        }
    }

    private static Ownership own(Thread thread) {
        return new Ownership(thread, false);
    }

    /**
     * Returns an ownership for the calling thread if one seems to be due, else null. It is made before the lock is
     * taken: running out of memory with the lock held would keep everybody out for ever.
     */
    private Ownership prepared(boolean claims, Thread self) {
        boolean isDue = claims && inARow >= often && (last == self || last == null); // as it was at some time
        if (!isDue || !ProcessBarrier.isAvailable()) {
            return null;
        }
        try {
            return made.apply(self);
        } catch (OutOfMemoryError e) {
            return null; // then it stays a lock for many
        }
    }

    private boolean lockOthers(boolean claims) {
        Thread self = Thread.currentThread();
        Ownership own = prepared(claims, self);
        others.lock();
        Ownership o = owner;
        if (!o.over) {
            OVER.setVolatile(o, true);
            ProcessBarrier.run();
            for (int i = 0; o.isInside(); i++) {
                SpinLock.pause(i);
            }
            owner = NOBODY;
            often = Math.min(often * 4, Integer.MAX_VALUE / 4);
            inARow = 0;
        } else if (claims && ProcessBarrier.isAvailable()) {
            inARow = last == self || last == null ? inARow + 1 : 0;
            last = self;
            if (inARow > often && own != null) {
                own.inside = true;
                OWNER.setRelease(this, own);
                others.unlock();
                return true;
            }
        }
        return false;
    }

    /** Gives it back. */
    public void unlock(boolean asOwner) {
        if (asOwner) {
            owner.leave(); // it is his still: nobody else can own it while he is inside
        } else {
            others.unlock();
        }
    }

    /** Whose it is, or was. */
    Ownership ownership() {
        return (Ownership) OWNER.getAcquire(this);
    }

    /**
     * Waits until whoever has the lock now has given it back, which is not the caller. {@link ProcessBarrier#run} was
     * called before.
     */
    void awaitLeft() {
        for (int i = 0; ownership().isInside() || others.isHeld(); i++) {
            SpinLock.pause(i);
        }
    }
}
