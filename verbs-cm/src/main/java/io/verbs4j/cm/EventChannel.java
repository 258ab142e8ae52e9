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
 * Where events of ids come out. The thread that takes events also moves the queue pairs that ids have made: a program whose ids have queue pairs takes events
 * for a connection to come about. May be used by any number of threads. Source: rdma_create_event_channel(3).
 */
public final class EventChannel implements AutoCloseable {
    private static final String GET = "get_cm_event";

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition some = lock.newCondition();
    private final Deque<CmId.Pending> events = new ArrayDeque<>();
    private final Set<CmId> ids = ConcurrentHashMap.newKeySet();
    private boolean closed;

    /** Whether a wait of the program's is to end without an event. */
    private boolean woken;

    /** Runs when an event was added, or null. */
    private Runnable action;

    /** Raised while a wait would end at once; null until it is asked for, and after close. */
    private CmSignal signal;

    /** Whether {@link #signal} is so. */
    private boolean raised;

    private EventChannel() {}

    /** {@return a new channel} */
    public static EventChannel create() {
        return new EventChannel();
    }

    /**
     * Makes an id. Unlike in C it is on an open device from the beginning: the program's own, to which all that the id makes belongs. Source:
     * rdma_create_id(3).
     *
     * @param context the open device, which is busy as long as the id is open: closing it answers {@link Errno#EBUSY}
     * @param portSpace {@link PortSpace#TCP} for connections, {@link PortSpace#UDP} for datagrams
     * @return a new id
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where the device has no connection manager, or not that port
     *     space; {@link Errno#EBADF} after close
     */
    public CmId createId(Context context, int portSpace) {
        CmId id = CmId.create(this, context, portSpace);
        join(id);
        return id;
    }

    /**
     * Takes an event, and waits for one.
     *
     * @return the event; null when the wait was ended without one by {@link #wakeup()}
     * @throws VerbsException {@link Errno#EINTR} where the thread is interrupted (it stays interrupted); {@link
     *     Errno#EBADF} after close, also of a thread that waits
     */
    public CmEvent getEvent() {
        return get(GET, Long.MAX_VALUE, this::takeWakeUp);
    }

    /**
     * Takes an event, and waits for one; the wait may end sooner than its time, when woken. Source: rdma_get_cm_event(3).
     *
     * @param timeout longest time to wait; 0 or less does not wait, and is not interrupted
     * @param unit its unit
     * @return the event; null after the time, or when woken by {@link #wakeup()}
     * @throws VerbsException as {@link #getEvent()}, and {@link Errno#EINVAL} without a unit
     */
    public CmEvent getEvent(long timeout, TimeUnit unit) {
        return get(GET, Arguments.nanos(GET, timeout, unit), this::takeWakeUp);
    }

    /** Likewise, for a wait of ours, which {@link #wakeup()} does not end, and a verb that waits in nanoseconds. */
    CmEvent get(String verb, long timeoutNanos) {
        return get(verb, timeoutNanos, () -> false);
    }

    /**
     * Likewise.
     *
     * @param ends whether the wait is to end without an event; called with the lock held, when there is none, before
     *     each sleep. {@link #recheck()} has it called again
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
     * Ends a wait in {@link #getEvent()} or {@link #getEvent(long, TimeUnit)} before its time: it returns null. If no
     * thread waits, the next call that would wait returns null at once instead; a call with time 0 never waits and
     * leaves that pending. So an event loop that waits here can be given other work by any thread.
     *
     * <p>One call ends one wait; if several threads wait, a {@link #subscribe subscription} among them, any one of them
     * returns. Calls that come before a wait has ended count as one. An event that is there is returned first and
     * leaves the wake-up pending. Waits that begin and end within another method, as that of {@link
     * CmConnection#connect}, are not ended. Does not wait; does nothing after close.
     */
    public void wakeup() {
        lock.lock();
        try {
            woken = true;
            signal();
            some.signalAll(); // a wait of ours may be the first
        } finally {
            lock.unlock();
        }
    }

    /** Has all that wait look again whether their wait ends. */
    void recheck() {
        lock.lock();
        try {
            some.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs an action when there is an event, so that an event loop that waits elsewhere needs no thread for this
     * channel ({@link #subscribe} has one). The action only says that there may be something; the loop then calls
     * {@link #getEvent(long, TimeUnit)} with time 0 until it returns null. An event that comes after that runs the
     * action again, at least once; the action may also run for nothing, and once for several events.
     *
     * <p>The action runs in the thread that makes the event: one of the connection manager's, one that receives
     * packets, or one that calls a method of an id; with locks of the connection manager held, but not the channel's.
     * It must be quick, and must not block or call verbs: let it set a flag, unpark a thread, call {@code wakeup()} of
     * a selector or of a channel or listener that a loop waits in, or hand a task to an executor. What it throws is
     * logged and ignored.
     *
     * <p>A channel has one action; another one replaces it. If there are events already, the action runs at once, in
     * the calling thread. Closing the channel ends it.
     *
     * @param value what to run; null for nothing any more. After this has returned, an old action may still be running
     *     in another thread
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
     * Has events handed to the program from now on, so that none of its threads waits: for event loops and executors.
     * Where several subscribe, or wait besides, each event goes to one of them.
     *
     * @param executor where the handler runs; {@code Runnable::run} is the subscription's own thread
     * @param handler takes the event; an exception of it goes where the executor's exceptions go
     * @return the subscription; to be closed, and ended by closing the channel
     */
    public EventSubscription subscribe(Executor executor, Consumer<? super CmEvent> handler) {
        return EventSubscription.of(this, this::getEvent, executor, handler);
    }

    /**
     * The descriptor that is readable as long as there are events, for event loops outside Java. Then call {@link
     * #getEvent(long, TimeUnit)} with time 0 until it returns null; sometimes the first call does. The descriptor stays
     * the channel's: do not read from it or close it, and have the loop forget it before the channel is closed, as its
     * number may then be another file's.
     *
     * <p>It comes from a device, so create an id first. It serves events of all ids, whatever their devices, and stays
     * when these are closed. A {@link #wakeup()} that is pending makes it readable too, until a call that would wait has
     * returned null for it. A loop that waits for descriptors is better woken by one of its own.
     *
     * @return the file descriptor, from the first answer on the same until close. -1 as long as the channel has no id on
     *     a device that has descriptors (the embedded and the native ones on Linux), or the process can open no further
     *     file; and after close
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
        CmSignal made = newSignal(); // without the lock: it may take long the first time
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

    /** The descriptor follows what has changed. The lock is held, so that it follows in the right order. */
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
            signal.raise(); // whoever waits for it learns that the channel is closed
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
            id.close(); // without the lock: an engine tells events while it holds its own
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

    /** Forgets an id and its events; answers these. */
    Collection<CmId.Pending> forget(CmId id) {
        ids.remove(id);
        return withdraw(id);
    }

    /** Takes the events of an id out. */
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

    /** Closes the channel with all ids on it; threads that wait for events end with EBADF. Source: rdma_destroy_event_channel(3). */
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
