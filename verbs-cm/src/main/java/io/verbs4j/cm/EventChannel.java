/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

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
     * @return the event; null where the wait was ended without one, as a thread that is woken is
     * @throws VerbsException {@link Errno#EINTR} where the thread is interrupted (it stays interrupted); {@link
     *     Errno#EBADF} after close, also of a thread that waits
     */
    public CmEvent getEvent() {
        return get(GET, Long.MAX_VALUE);
    }

    /**
     * Takes an event, and waits for one; the wait may end sooner than its time, when woken. Source: rdma_get_cm_event(3).
     *
     * @param timeout longest time to wait; 0 or less does not wait, and is not interrupted
     * @param unit its unit
     * @return the event; null after the time, or when woken
     * @throws VerbsException as {@link #getEvent()}, and {@link Errno#EINVAL} without a unit
     */
    public CmEvent getEvent(long timeout, TimeUnit unit) {
        return get(GET, Arguments.nanos(GET, timeout, unit));
    }

    /** Likewise, for a verb that waits in nanoseconds. */
    CmEvent get(String verb, long timeoutNanos) {
        Interrupts.check(verb, timeoutNanos);
        long left = timeoutNanos;
        while (true) {
            CmId.Pending next;
            lock.lock();
            try {
                while ((next = next()) == null) {
                    if (left <= 0) {
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
                return event;
            }
        }
    }

    private CmId.Pending next() {
        if (closed) {
            throw closedChannel();
        }
        return events.poll();
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
        lock.lock();
        try {
            events.add(event);
            some.signal();
        } finally {
            lock.unlock();
        }
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
            some.signalAll();
        } finally {
            lock.unlock();
        }
        for (CmId id : ids) {
            id.close();
        }
    }
}
