/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.EventSubscription;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.spi.CmSignal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A queue of events of ids. Source: rdma_create_event_channel(3).
 *
 * <p>The thread that takes events also moves the queue pairs of the ids, so a program whose ids have queue pairs must
 * take events for a connection to be established. Any number of threads may use a channel.
 */
public final class EventChannel implements AutoCloseable {
    private static final String GET = "get_cm_event";

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition some = lock.newCondition();
    private final Deque<CmId.Pending> events = new ArrayDeque<>();
    private final Set<CmId> ids = ConcurrentHashMap.newKeySet();
    private boolean closed;

    /** Whether the next wait of the program must end without an event. */
    private boolean woken;

    /** Runs after an event was added, or null. */
    private Runnable action;

    /** Raised while a wait would end at once; null until the program asks for it, and after close. */
    private CmSignal signal;

    /** Whether {@link #signal} is raised. */
    private boolean raised;

    private EventChannel() {}

    /** {@return a new channel} */
    public static EventChannel create() {
        return new EventChannel();
    }

    /**
     * Makes an id. Unlike in C it belongs to an open device from the beginning: the program's own, which also owns
     * everything that the id makes. Source: rdma_create_id(3).
     *
     * @param context open device; closing it fails with {@link Errno#EBUSY} while the id is open
     * @param portSpace {@link PortSpace#TCP} for connections, {@link PortSpace#UDP} for datagrams
     * @return a new id
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the device has no connection manager or does not support that
     *     port space; {@link Errno#EBADF} after close
     */
    public CmId createId(Context context, int portSpace) {
        CmId id = CmId.create(this, context, portSpace);
        join(id);
        return id;
    }

    /**
     * Takes an event, waiting without limit if necessary.
     *
     * @return the event; null if {@link #wakeup()} ended the wait
     * @throws VerbsException {@link Errno#EINTR} if the thread is interrupted (it stays interrupted); {@link
     *     Errno#EBADF} after close, also in a thread that is waiting
     */
    public CmEvent getEvent() {
        return get(GET, Long.MAX_VALUE, this::takeWakeUp);
    }

    /**
     * Takes an event, waiting for a limited time if necessary. {@link #wakeup()} may end the wait early. Source:
     * rdma_get_cm_event(3).
     *
     * @param timeout longest time to wait; 0 or less does not wait, and ignores interrupts
     * @param unit unit of {@code timeout}
     * @return the event; null if the time is over, or after a wake-up
     * @throws VerbsException as {@link #getEvent()}; also {@link Errno#EINVAL} if the unit is null
     */
    public CmEvent getEvent(long timeout, TimeUnit unit) {
        return get(GET, Arguments.nanos(GET, timeout, unit), this::takeWakeUp);
    }

    /** Takes an event for a wait of the library, which {@link #wakeup()} does not end. */
    CmEvent get(String verb, long timeoutNanos) {
        return get(verb, timeoutNanos, () -> false);
    }

    /**
     * Takes an event.
     *
     * @param ends whether to end the wait without an event; called with the lock held, if there is no event, before
     *     each sleep. {@link #recheck()} causes another call
     */
    CmEvent get(String verb, long timeoutNanos, BooleanSupplier ends) {
        Interrupts.check(verb, timeoutNanos);
        long left = timeoutNanos;
        while (true) {
            CmId.Pending next;
            lock.lock();
            try {
                while ((next = next()) == null) {
                    if (left <= 0 || ends.getAsBoolean()) {
                        return null;
                    }
                    if (timeoutNanos == Long.MAX_VALUE) {
                        some.await();
                    } else {
                        left = some.awaitNanos(left);
                    }
                }
            } catch (InterruptedException e) {
                throw Interrupts.failed(verb, e);
            } finally {
                lock.unlock();
            }
            CmEvent event = next.id().take(next); // without the lock: it moves queue pairs
            if (event != null) {
                return RecordedEvents.taken(event);
            }
        }
    }

    /** The lock is held. */
    private boolean takeWakeUp() {
        boolean taken = woken;
        woken = false;
        signal();
        return taken;
    }

    /**
     * Ends a wait in {@link #getEvent()} or {@link #getEvent(long, TimeUnit)} early: it returns null. If no thread
     * waits, the next call that would wait returns null at once instead; a call with time 0 never waits and leaves the
     * wake-up pending. This lets any thread give other work to an event loop that waits here.
     *
     * <p>One call ends one wait; if several threads wait, including those of {@link #subscribe subscriptions}, any one
     * of them returns. Calls made before a wait has ended count as one. Events that are ready are returned first and
     * leave the wake-up pending. Waits inside another method, such as {@link CmConnection#connect}, do not end. Does
     * not wait; does nothing after close.
     */
    public void wakeup() {
        lock.lock();
        try {
            woken = true;
            signal();
            some.signalAll(); // a single signal might reach a wait of the library
        } finally {
            lock.unlock();
        }
    }

    /** Makes all waiting threads check again whether their wait ends. */
    void recheck() {
        lock.lock();
        try {
            some.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sets an action that runs when there is an event, so that an event loop that waits elsewhere needs no thread for
     * this channel (a {@link #subscribe subscription} has one). The action only signals that there may be events: the
     * loop then calls {@link #getEvent(long, TimeUnit)} with time 0 until it returns null. Any later event runs the
     * action again at least once; the action may also run for nothing, and once for several events.
     *
     * <p>The action runs in the thread that causes the event: a thread of the connection manager, one that receives
     * packets, or one that calls a method of an id. Locks of the connection manager may be held, but not the channel's.
     * The action must be quick, and must not block or call verbs: let it set a flag, unpark a thread, call {@code
     * wakeup()} on a selector or on a channel or listener that a loop waits in, or hand a task to an executor. Its
     * exceptions are logged and ignored.
     *
     * <p>A channel has one action; setting another replaces it. If there are events already, the action runs at once,
     * in the calling thread. Closing the channel removes it.
     *
     * @param value action to run; null for none. After this method returns, an old action may still be running in
     *     another thread
     * @throws VerbsException {@link Errno#EBADF} after close
     */
    public void onEvent(Runnable value) {
        boolean late;
        lock.lock();
        try {
            if (closed) {
                throw closedChannel();
            }
            action = value;
            late = !events.isEmpty();
        } finally {
            lock.unlock();
        }
        if (late) {
            Actions.run(value, "events of an event channel");
        }
    }

    /**
     * Passes events to the program as they come, so that no thread of the program waits; for event loops and executors.
     * If there are several subscriptions or threads that wait, each event goes to one of them.
     *
     * @param executor runs the handler; {@code Runnable::run} uses the subscription's own thread
     * @param handler receives the event; its exceptions go where the executor's exceptions go
     * @return the subscription, for the program to close; closing the channel ends it as well
     */
    public EventSubscription subscribe(Executor executor, Consumer<? super CmEvent> handler) {
        return EventSubscription.of(this, this::getEvent, executor, handler);
    }

    /**
     * Returns a descriptor that is readable while there are events, for event loops outside Java. When it is readable,
     * call {@link #getEvent(long, TimeUnit)} with time 0 until it returns null; occasionally the first call already
     * does. The channel owns the descriptor: do not read from it or close it, and remove it from the loop before
     * closing the channel, because its number may then be reused for another file.
     *
     * <p>The descriptor comes from a device, so create an id first. It covers events of all ids, whatever their
     * devices, and outlives those. A pending {@link #wakeup()} also makes it readable, until a call that would wait has
     * returned null for it. To wake a loop that waits for descriptors, rather use a descriptor of your own.
     *
     * @return the file descriptor, the same one from the first success until close; -1 while no id of the channel is on
     *     a device that has descriptors (embedded and native ones on Linux do), if the process cannot open more files,
     *     and after close
     */
    public int descriptor() {
        lock.lock();
        try {
            if (signal != null || closed) {
                return number();
            }
        } finally {
            lock.unlock();
        }
        CmSignal made = newSignal(); // without the lock: the first call may take long
        if (made == null) {
            return -1;
        }
        boolean spare;
        int number;
        lock.lock();
        try {
            spare = signal != null || closed;
            if (!spare) {
                signal = made;
                signal();
            }
            number = number();
        } finally {
            lock.unlock();
        }
        if (spare) {
            made.close();
        }
        return number;
    }

    /** The lock is held. */
    private int number() {
        return signal == null ? -1 : signal.descriptor();
    }

    private CmSignal newSignal() {
        for (CmId id : ids) {
            CmSignal made = id.newSignal();
            if (made != null) {
                return made;
            }
        }
        return null;
    }

    /** Updates the descriptor. The lock is held, so that updates happen in order. */
    private void signal() {
        boolean wanted = woken || !events.isEmpty();
        if (signal == null || wanted == raised) {
            return;
        }
        if (wanted) {
            signal.raise();
        } else {
            signal.clear();
        }
        raised = wanted;
    }

    /** The lock is held. */
    private void closeSignal() {
        if (signal != null) {
            signal.raise(); // lets a waiting loop notice that the channel is closed
            signal.close();
            signal = null;
        }
    }

    private CmId.Pending next() {
        if (closed) {
            throw closedChannel();
        }
        CmId.Pending first = events.poll();
        signal();
        return first;
    }

    void join(CmId id) {
        boolean late;
        lock.lock();
        try {
            late = closed;
            if (!late) {
                ids.add(id);
            }
        } finally {
            lock.unlock();
        }
        if (late) {
            id.close(); // without the lock: an engine reports events while it holds its own
            throw closedChannel();
        }
    }

    private static VerbsException closedChannel() {
        return Arguments.closed(GET, "the event channel");
    }

    void add(CmId.Pending event) {
        Runnable told;
        lock.lock();
        try {
            events.add(event);
            signal();
            some.signal();
            told = action;
        } finally {
            lock.unlock();
        }
        Actions.run(told, "events of an event channel");
    }

    /** Removes an id and returns its events. */
    Collection<CmId.Pending> forget(CmId id) {
        ids.remove(id);
        return withdraw(id);
    }

    /** Removes the events of an id and returns them. */
    Collection<CmId.Pending> withdraw(CmId id) {
        List<CmId.Pending> forgotten = new ArrayList<>();
        lock.lock();
        try {
            for (Iterator<CmId.Pending> i = events.iterator(); i.hasNext(); ) {
                CmId.Pending event = i.next();
                if (event.owner() == id) {
                    i.remove();
                    forgotten.add(event);
                }
            }
            signal();
        } finally {
            lock.unlock();
        }
        return forgotten;
    }

    /**
     * Closes the channel and all its ids. Threads that wait for events fail with EBADF. Source:
     * rdma_destroy_event_channel(3).
     */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            action = null;
            closeSignal();
            some.signalAll();
        } finally {
            lock.unlock();
        }
        for (CmId id : ids) {
            id.close();
        }
    }

    @Override
    public String toString() {
        return "event channel of " + ids.size() + " ids";
    }
}
