/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.lock;

import io.verbs4j.natives.call.ProcessBarrier;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Function;

/**
 * Guards a ring during a post or poll. Most rings are used by one thread: the lock becomes that thread's own, and
 * taking it then costs two plain stores. When another thread wants it, that thread ends the ownership first, and taking
 * the lock costs an atomic operation from then on. A thread that takes it often enough in a row becomes its owner
 * again.
 *
 * <p>An owner and a thread that ends the ownership notice each other as follows. The owner writes {@code inside}, then
 * reads {@code over}; the other thread writes {@code over}, then reads {@code inside}. Both fields belong to that one
 * ownership: a thread that is delayed between finding the owner and writing {@code inside} may arrive when the lock has
 * another owner, and must not be taken for that owner. Without a fence a processor may reorder the owner's write and
 * read, so the other thread runs a barrier on all processors between its own two ({@link ProcessBarrier}). If the
 * kernel does not support the barrier, the lock never has an owner. The two fences in {@link Ownership#enter} produce
 * no machine code on x86-64; they keep the compiler from reordering, which {@code RingLockOrderIT} checks in the
 * machine code.
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

    /** A thread's ownership of the lock, until {@code over} is set. */
    static final class Ownership {
        private final Thread thread;
        private boolean over;

        @SuppressWarnings("UnusedVariable") // read through INSIDE
        private boolean inside;

        Ownership(Thread thread, boolean over) {
            this.thread = thread;
            this.over = over;
        }

        /** Enters unless the ownership has ended. */
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
    private Ownership owner; // written with others held and no owner inside
    private Thread last;
    private int inARow;
    private int often;

    /**
     * Creates a free lock.
     *
     * @param singleThreaded whether no two threads use the ring at the same time, so that every caller counts as the
     *     owner
     */
    public RingLock(boolean singleThreaded) {
        this(singleThreaded, OFTEN);
    }

    /** Creates a lock that a thread owns once it has taken it more than {@code often} times in a row. */
    public RingLock(boolean singleThreaded, int often) {
        this(singleThreaded, often, RingLock::own);
    }

    /** Creates a lock whose ownerships come from {@code made}. */
    RingLock(boolean singleThreaded, int often, Function<Thread, Ownership> made) {
        this.made = made;
        this.often = often;
        this.inARow = often; // the first thread becomes the owner at once
        this.oneThread = singleThreaded;
        this.singleThreaded = singleThreaded && ProcessBarrier.isAvailable();
        this.owner = this.singleThreaded ? new Ownership(null, false) : NOBODY;
    }

    /** {@return whether the program promised that no two threads use the ring at the same time} */
    public boolean isForOneThread() {
        return oneThread;
    }

    /**
     * Waits for the lock and takes it, for a post or a poll.
     *
     * @return the argument for {@link #unlock}
     */
    public boolean lock() {
        Ownership o = owner;
        if ((singleThreaded || o.thread == Thread.currentThread()) && o.enter()) {
            return true;
        }
        return lockOthers(true);
    }

    /** As {@link #lock}, for rare operations: does not make the thread the owner. */
    public boolean lockOnce() {
        return owner.thread == Thread.currentThread() || singleThreaded ? lock() : lockOthers(false);
    }

    /** Runs a rare operation with the lock held. The body must not take the lock again. */
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
     * Returns an ownership for the calling thread if one seems to be due, otherwise null. It is created before the lock
     * is taken: running out of memory with the lock held would keep all threads out for ever.
     */
    private Ownership prepared(boolean claims, Thread self) {
        boolean isDue = claims && inARow >= often && (last == self || last == null); // possibly stale
        if (!isDue || !ProcessBarrier.isAvailable()) {
            return null;
        }
        try {
            return made.apply(self);
        } catch (OutOfMemoryError e) {
            return null; // the lock stays a shared one
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

    /** Releases the lock. */
    public void unlock(boolean asOwner) {
        if (asOwner) {
            owner.leave(); // still this thread's: nobody else can own it while the owner is inside
        } else {
            others.unlock();
        }
    }

    /** {@return the current ownership, or the last one} */
    Ownership ownership() {
        return (Ownership) OWNER.getAcquire(this);
    }

    /**
     * Waits until the lock's current holder, which is not the caller, has released it. Call {@link ProcessBarrier#run}
     * first.
     */
    void awaitLeft() {
        for (int i = 0; ownership().isInside() || others.isHeld(); i++) {
            SpinLock.pause(i);
        }
    }
}
