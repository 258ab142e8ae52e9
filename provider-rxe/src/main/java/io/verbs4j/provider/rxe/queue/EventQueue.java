/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.link.EventFd;
import java.util.ArrayDeque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Events that wait to be fetched, and threads that wait for them.
 *
 * <p>Threads park, and hold no monitor while they do: a virtual thread that waits leaves its carrier to others on every JDK. What adds
 * an event takes no memory for that, which a {@link java.util.concurrent.locks.Lock} would where another thread has it.
 *
 * @param <E> kind of event
 */
public final class EventQueue<E> {
    private static final int LEAST = 64;

    private Object[] ring = new Object[LEAST];
    private int head;
    private int count;

    /** How many there may be at a time, at least, whether there is memory or not. */
    private int reserved;

    private final String verb;
    private final String what;
    private final Waiters waiters;
    private boolean closed;

    /** Whether a wait is to end without an event. */
    private boolean woken;

    /** Runs when an event was added, or null. */
    private Runnable action;

    /** Readable while a wait would end at once; null until it is asked for, and after close. */
    private EventFd readable;

    /** Whether {@link #readable} is so. */
    private boolean raised;

    /** Threads that wait, in turn; each until it is woken or gives up. */
    private final ArrayDeque<Thread> sleepers = new ArrayDeque<>();

    /** The one of these that waits at a post, and the post; null where all park. */
    private Thread sentry;

    private Post manned;

    /** Makes a queue of events that packets have no part in, or that may come a millisecond late. */
    public EventQueue(String verb, String what) {
        this(verb, what, null);
    }

    /** Makes a queue; {@code waiters} is told when a thread begins and ends to sleep. */
    public EventQueue(String verb, String what, Waiters waiters) {
        this.verb = verb;
        this.what = what;
        this.waiters = waiters;
    }

    private void sleeperBegins() {
        if (waiters != null) {
            waiters.begin();
        }
    }

    private void sleeperEnds() {
        if (waiters != null) {
            waiters.end();
        }
    }

    /** Makes room for so many more events, or for fewer where negative. */
    public synchronized void reserve(int more) {
        if (reserved + more > ring.length) {
            grow(Math.max(reserved + more, 2 * ring.length));
        }
        reserved += more;
    }

    /** Adds an event and wakes a thread that waits. Where there is no room nor memory, it is left out if it is there before. */
    public void add(E event) {
        Runnable told;
        synchronized (this) {
            if (closed || count == ring.length && !grows(event)) {
                return;
            }
            ring[at(count++)] = event;
            signal();
            wakeOne();
            told = action;
        }
        run(told);
    }

    /** Runs the program's code in a thread of ours, or in one that posts: what it throws ends neither. */
    private void run(Runnable told) {
        if (told == null) {
            return;
        }
        try {
            told.run();
        } catch (Throwable e) {
            log(e);
        }
    }

    private void log(Throwable failure) {
        try {
            System.getLogger(EventQueue.class.getName())
                    .log(System.Logger.Level.ERROR, "the action for events of the " + what + " has failed", failure);
        } catch (Throwable e) {
            failure.addSuppressed(e); // the caller has more to do after this
        }
    }

    /** Ends a wait without an event: that of a thread that sleeps, else the next. */
    public synchronized void wake() {
        woken = true;
        signal();
        wakeOne();
    }

    /**
     * The descriptor that is readable while a wait would end at once. A port has to move packets for whoever waits for it, from the
     * first call on.
     *
     * @param opener makes it at the first call; null where it can't
     * @return the same number each time, until the queue is closed; -1 where there is none, or the queue is closed
     */
    public int descriptor(Supplier<EventFd> opener) {
        synchronized (this) {
            if (readable != null || closed) {
                return descriptor();
            }
        }
        EventFd made = opener.get(); // without the monitor: it may take long the first time
        if (made == null) {
            return -1;
        }
        synchronized (this) {
            if (readable == null && !closed) {
                sleeperBegins();
                readable = made;
                signal();
                return made.descriptor();
            }
        }
        made.close();
        return descriptor();
    }

    private synchronized int descriptor() {
        return readable == null ? -1 : readable.descriptor();
    }

    /** The descriptor follows what has changed. With the monitor held, so that it follows in the right order. */
    private void signal() {
        boolean some = count > 0 || woken;
        if (readable == null || some == raised) {
            return;
        }
        if (some) {
            readable.raise();
        } else {
            readable.clear();
        }
        raised = some;
    }

    /**
     * Runs an action each time that an event was added. A port has to move packets for it as for a thread that waits.
     *
     * @param next takes the place of the one before; or null
     * @return 0, or EBADF where the queue is closed
     */
    public int onEvent(Runnable next) {
        Runnable told;
        synchronized (this) {
            if (closed) {
                return Errno.EBADF;
            }
            replaceAction(next);
            told = count > 0 ? next : null;
        }
        run(told);
        return 0;
    }

    private void replaceAction(Runnable next) {
        if (action == null && next != null) {
            sleeperBegins();
        } else if (action != null && next == null) {
            sleeperEnds();
        }
        action = next;
    }

    private boolean wakeOne() {
        Thread first = sleepers.poll();
        if (first == null || first != sentry) {
            LockSupport.unpark(first);
        } else if (first != Thread.currentThread()) { // else it has taken in what there is, and looks next
            manned.callBack();
        }
        return first != null;
    }

    private boolean grows(E event) {
        try {
            grow(2 * ring.length);
            return true;
        } catch (OutOfMemoryError e) {
            for (int i = 0; i < count; i++) {
                if (ring[at(i)] == event) {
                    return false;
                }
            }
            throw e;
        }
    }

    private void grow(int size) {
        Object[] larger = new Object[size];
        for (int i = 0; i < count; i++) {
            larger[i] = ring[at(i)];
        }
        ring = larger;
        head = 0;
    }

    private int at(int index) {
        int i = head + index;
        return i < ring.length ? i : i - ring.length;
    }

    @SuppressWarnings("unchecked") // nothing else is put in
    private E event(int index) {
        return (E) ring[at(index)];
    }

    /** Drops events. */
    public synchronized void removeIf(Predicate<E> which) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            E event = event(i);
            if (!which.test(event)) {
                ring[at(kept++)] = event;
            }
        }
        while (count > kept) {
            ring[at(--count)] = null;
        }
        signal();
    }

    /** Wakes all threads that wait; they and later ones are told EBADF. */
    public synchronized void close() {
        closed = true;
        replaceAction(null);
        removeIf(e -> true);
        closeDescriptor();
        boolean more;
        do {
            more = wakeOne();
        } while (more);
    }

    private void closeDescriptor() {
        if (readable != null) {
            readable.raise(); // whoever waits for it learns that the queue is closed
            readable.close();
            readable = null;
            sleeperEnds();
        }
    }

    /** Fetches an event, as {@link io.verbs4j.ContextOps#getCqEvent} says. */
    public E get(long timeoutNanos) {
        synchronized (this) {
            E event = pollOrFail();
            if (event != null || timeoutNanos == 0) {
                return event;
            }
        }
        Post post = waiters == null ? null : waiters.post(); // before the rest, which has others move packets
        try {
            sleeperBegins();
            try {
                return await(timeoutNanos, post);
            } finally {
                sleeperEnds();
            }
        } finally {
            if (post != null) {
                post.leave();
            }
        }
    }

    private E await(long timeoutNanos, Post post) {
        long deadline = System.nanoTime() + timeoutNanos;
        Thread me = Thread.currentThread();
        boolean stands = post != null;
        try {
            while (true) {
                long left = timeoutNanos < 0 ? Long.MAX_VALUE : deadline - System.nanoTime();
                synchronized (this) {
                    E event = pollOrFail();
                    if (event != null || left <= 0 || takeWakeUp()) {
                        return event;
                    }
                    stands = sleep(me, stands ? post : null);
                }
                if (me.isInterrupted()) {
                    throw new VerbsException(Errno.EINTR, verb, "the thread was interrupted while it waited");
                }
                if (!stands) {
                    park(timeoutNanos < 0, left);
                } else if (!post.await(left)) {
                    stands = false;
                    post.leave();
                }
            }
        } finally {
            leave(me);
        }
    }

    private void park(boolean forEver, long nanos) {
        if (forEver) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, nanos);
        }
    }

    private boolean takeWakeUp() {
        boolean taken = woken;
        woken = false;
        signal();
        return taken;
    }

    /** The thread is to be woken by the next event; answers whether it may wait at the post. */
    private boolean sleep(Thread me, Post post) {
        if (!sleepers.contains(me)) {
            sleepers.add(me);
        }
        if (post != null && sentry == null) {
            sentry = me;
            manned = post;
        } else if (post == null && sentry == me) {
            sentry = null;
        }
        return sentry == me;
    }

    /** A thread waits no more; what it may have been woken for is for another now. */
    private synchronized void leave(Thread me) {
        sleepers.remove(me);
        if (sentry == me) {
            sentry = null;
        }
        if (count > 0 || woken) {
            wakeOne();
        }
    }

    private E pollOrFail() {
        if (closed) {
            throw new VerbsException(Errno.EBADF, verb, "the " + what + " was closed");
        }
        if (count == 0) {
            return null;
        }
        E first = event(0);
        ring[head] = null;
        head = at(1);
        count--;
        signal();
        return first;
    }

    /** Who must know that threads sleep, here or at a descriptor, or that an action is to run: the device then moves packets by itself. */
    public interface Waiters {
        /** A thread begins to sleep, or there is a descriptor that one may sleep at. */
        void begin();

        /** It has ended. */
        void end();

        /**
         * Where the calling thread may wait instead of being woken by the device's own thread. It does so until {@link
         * Post#leave}.
         *
         * @return null where there is no such place, or another thread has it
         */
        default Post post() {
            return null;
        }
    }

    /**
     * Where a thread waits for packets, and takes them in by itself. {@link #callBack} is for any thread, the rest for
     * that one.
     */
    public interface Post {
        /**
         * Waits until packets have come, and takes them in; may return early without a reason.
         *
         * @return false where nobody can wait here any more
         */
        boolean await(long nanos);

        /** Ends the {@link #await} of the thread, or its next one. */
        void callBack();

        /** The thread waits here no more. May be called again. */
        void leave();
    }
}
