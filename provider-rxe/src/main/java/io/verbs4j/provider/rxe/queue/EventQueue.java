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
 * A queue of events and of the threads that wait for them.
 *
 * <p>Threads park, and hold no monitor meanwhile, so that on every JDK a waiting virtual thread frees its carrier.
 * Adding an event allocates nothing for the wake-up; a {@link java.util.concurrent.locks.Lock} would, when contended.
 *
 * @param <E> kind of event
 */
public final class EventQueue<E> {
    private static final int LEAST = 64;

    private Object[] ring = new Object[LEAST];
    private int head;
    private int count;

    /** Number of events for which there is room in any case, even without free memory. */
    private int reserved;

    private final String verb;
    private final String what;
    private final Waiters waiters;
    private boolean closed;

    /** Whether a wait is to end without an event. */
    private boolean woken;

    /** Runs after an event was added; may be null. */
    private Runnable action;

    /** Readable while a wait would end at once; null until requested, and after close. */
    private EventFd readable;

    /** Whether {@link #readable} is currently readable. */
    private boolean raised;

    /** Waiting threads in order, each until it is woken or gives up. */
    private final ArrayDeque<Thread> sleepers = new ArrayDeque<>();

    /** The waiting thread that waits at a post, and that post; null if all park. */
    private Thread sentry;

    private Post manned;

    /** Creates a queue of events that do not depend on packets, or that may come a millisecond late. */
    public EventQueue(String verb, String what) {
        this(verb, what, null);
    }

    /** Creates a queue; {@code waiters} is notified when a thread starts and stops sleeping. */
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

    /** Reserves room for {@code more} events; a negative number releases room. */
    public synchronized void reserve(int more) {
        if (reserved + more > ring.length) {
            grow(Math.max(reserved + more, 2 * ring.length));
        }
        reserved += more;
    }

    /**
     * Adds an event and wakes a waiting thread. Without room and without memory, an event that is already in the queue
     * is not added again, and any other throws {@link OutOfMemoryError}.
     */
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

    /** Runs the program's code in one of our threads or in one that posts; what it throws must end neither. */
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
                    .log(System.Logger.Level.ERROR, "the action for events of the " + what + " failed", failure);
        } catch (Throwable e) {
            failure.addSuppressed(e); // the caller has more work to do
        }
    }

    /** Ends a wait without an event: that of a sleeping thread, otherwise the next one. */
    public synchronized void wake() {
        woken = true;
        signal();
        wakeOne();
    }

    /**
     * Returns the descriptor that is readable while a wait would end at once. From the first call on, the port must
     * move packets for whoever waits for it.
     *
     * @param opener creates it at the first call; returns null if it can't
     * @return the same number each time, until the queue is closed; -1 if there is no descriptor or the queue is closed
     */
    public int descriptor(Supplier<EventFd> opener) {
        synchronized (this) {
            if (readable != null || closed) {
                return descriptor();
            }
        }
        EventFd made = opener.get(); // without the monitor: the first time, this may take long
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

    /** Updates the descriptor. Called with the monitor held, which keeps the updates in order. */
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
     * Sets an action to run each time an event was added. The port must move packets for it as it does for a waiting
     * thread.
     *
     * @param next replaces the previous action; null for none
     * @return 0, or EBADF if the queue is closed
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
        } else if (first != Thread.currentThread()) { // otherwise it is running here and looks for events next
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

    @SuppressWarnings("unchecked") // nothing else is stored
    private E event(int index) {
        return (E) ring[at(index)];
    }

    /** Removes the matching events. */
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

    /** Closes the queue and wakes all waiting threads; they and later ones get EBADF. */
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
            readable.raise(); // wakes whoever waits for it, to learn that the queue is closed
            readable.close();
            readable = null;
            sleeperEnds();
        }
    }

    /** Fetches an event, as specified by {@link io.verbs4j.ContextOps#getCqEvent}. */
    public E get(long timeoutNanos) {
        synchronized (this) {
            E event = pollOrFail();
            if (event != null || timeoutNanos == 0) {
                return event;
            }
        }
        Post post = waiters == null ? null : waiters.post(); // first, because the rest makes other threads move packets
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
                    throw new VerbsException(Errno.EINTR, verb, "the thread was interrupted while waiting");
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

    /** Registers the thread to be woken by the next event; returns whether it may wait at the post. */
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

    /** Unregisters a thread. If it was woken for something that is still there, another thread is woken instead. */
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

    /**
     * Notified while threads sleep, here or at a descriptor, or while an action is set: the device must then move
     * packets by itself.
     */
    public interface Waiters {
        /** Notes that a thread starts to sleep, or that there is a descriptor that one may sleep at, or an action. */
        void begin();

        /** Undoes a {@link #begin}. */
        void end();

        /**
         * Returns a post where the calling thread may wait instead of being woken by the device's own thread, until
         * {@link Post#leave}.
         *
         * @return null if there is no such place, or another thread has it
         */
        default Post post() {
            return null;
        }
    }

    /**
     * A place where a thread waits for packets and processes them itself. Any thread may call {@link #callBack}, only
     * that thread the rest.
     */
    public interface Post {
        /**
         * Waits until packets have come, and processes them; may return early for no reason.
         *
         * @return false if no thread can wait here any more
         */
        boolean await(long nanos);

        /** Ends the thread's current {@link #await}, or its next one. */
        void callBack();

        /** Ends the thread's waiting here. May be called repeatedly. */
        void leave();
    }
}
