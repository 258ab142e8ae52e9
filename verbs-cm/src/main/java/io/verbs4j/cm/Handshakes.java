/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The requests of a listener, and the handshakes that calls of {@code accept} share.
 *
 * <p>A queue pair is made from the arguments of one call of {@code accept}: domain, queues, private data, receives. A
 * handshake therefore belongs to that call, which makes one at a time. Only if calls repeat the same arguments do their
 * handshakes belong to all of these calls, run in parallel, and continue between calls.
 *
 * <p>One thread at a time takes events for all that wait; the others wait for a change.
 */
// Longer than 500 lines because calls of accept share handshakes and take turns in driving them, all under one lock.
final class Handshakes {
    private static final String VERB = "accept";

    /** Number of different argument sets that are remembered to recognize repetitions. */
    private static final int REMEMBERED = 8;

    private static final class Handshake {
        final Offer owner;
        final ConnParam peer;
        final long begun = System.nanoTime();
        CmConnection connection;

        Handshake(Offer owner, ConnParam peer) {
            this.owner = owner;
            this.peer = peer;
        }
    }

    private final EventChannel channel;
    private final CmId listener;
    private final long limit;

    /** Held briefly; nobody else is called while it is held. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();
    private final Deque<CmEvent> requests = new ArrayDeque<>();
    private final Map<CmId, Handshake> underWay = new LinkedHashMap<>(); // the oldest first
    private final Deque<Handshake> established = new ArrayDeque<>();
    private final Deque<Offer> remembered = new ArrayDeque<>();
    private long changes;
    private boolean leading;
    private boolean closed;

    /** Whether a wait must end without a result; volatile because it is also read without the lock. */
    private volatile boolean woken;

    /** Runs when there is something for a call to take, or null. */
    private Runnable action;

    /** Whether something was queued that a call may have left to others. */
    private boolean unannounced;

    Handshakes(EventChannel channel, CmId listener, long limit) {
        this.channel = channel;
        this.listener = listener;
        this.limit = limit;
    }

    /** Takes a peer's request; returns null if the time is over, or after a wake-up. */
    CmRequest take(long timeout) {
        try {
            return takeRequest(timeout);
        } finally {
            announce();
        }
    }

    private CmRequest takeRequest(long timeout) {
        long start = System.nanoTime();
        while (true) {
            long seen = changes();
            CmEvent request = nextRequest();
            if (request != null) {
                CmRequest taken = taken(request);
                if (taken != null) {
                    return taken;
                }
                continue;
            }
            long left = Math.max(0, timeout - (System.nanoTime() - start));
            if (!await(left, seen) && (left == 0 || takeWakeUp())) {
                return null;
            }
        }
    }

    private CmRequest taken(CmEvent request) {
        try {
            return CmRequest.of(request, limit);
        } catch (VerbsException e) {
            if (!request.id().isClosed()) {
                throw e;
            }
            ended(request.id(), e.getMessage());
            return null;
        }
    }

    /** Returns a connection that a peer has confirmed; null if the time is over, or after a wake-up. */
    CmConnection accept(Offer offer, long timeout) {
        Offer shared = shared(offer);
        long start = System.nanoTime();
        try {
            return shared == null ? acceptAlone(offer, start, timeout) : accept(shared, start, timeout);
        } finally {
            announce();
        }
    }

    /** Handles one peer after the other, so that none is connected without being returned. */
    private CmConnection acceptAlone(Offer offer, long start, long timeout) {
        while (true) {
            CmRequest request = takeRequest(Math.max(0, timeout - (System.nanoTime() - start)));
            if (request == null) {
                return null;
            }
            try {
                return request.accept(offer.pd, offer.attr, offer.param, offer.prepare, this::hasRequests);
            } catch (VerbsException e) {
                if (e.errno() != Errno.ECONNABORTED) {
                    throw e;
                }
                ended(request.id(), e.getMessage());
            }
            if (timeout - (System.nanoTime() - start) <= 0) {
                return null;
            }
        }
    }

    /** Returns whether a request waits, after taking all events that are ready. */
    private boolean hasRequests() {
        while (await(0, changes())) {
            // another event was taken, perhaps by another thread
        }
        lock.lock();
        try {
            return !requests.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private CmConnection accept(Offer offer, long start, long timeout) {
        boolean begun = false;
        while (true) {
            long seen = changes();
            endLate();
            CmConnection ready = takeEstablished(offer);
            if (ready != null) {
                return ready;
            }
            long left = Math.max(0, timeout - (System.nanoTime() - start));
            CmEvent request = left > 0 || !begun ? nextRequest() : null;
            if (request != null) {
                begun = true;
                begin(request, offer);
                continue;
            }
            if (!await(Math.min(left, untilLate()), seen) && (left == 0 || takeWakeUp())) {
                return null;
            }
        }
    }

    // ---- ownership of handshakes

    /** Returns the earlier offer with the same arguments, whose handshakes calls share, or null if there was none. */
    private Offer shared(Offer offer) {
        lock.lock();
        try {
            for (Offer before : remembered) {
                if (before.isSame(offer)) {
                    return before;
                }
            }
            remembered.addLast(offer);
            if (remembered.size() > REMEMBERED) {
                remembered.removeFirst();
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** The lock is held. */
    private boolean isRemembered(Offer owner) {
        return remembered.stream().anyMatch(offer -> offer == owner);
    }

    private CmConnection takeEstablished(Offer owner) {
        lock.lock();
        try {
            for (Iterator<Handshake> i = established.iterator(); i.hasNext(); ) {
                Handshake one = i.next();
                if (one.owner == owner) {
                    i.remove();
                    return one.connection;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    // ---- the handshakes

    private CmEvent nextRequest() {
        lock.lock();
        try {
            unannounced |= requests.size() > 1; // the call may end before it takes the others
            return requests.poll();
        } finally {
            lock.unlock();
        }
    }

    private void begin(CmEvent request, Offer offer) {
        CmId id = request.id();
        boolean done = false;
        try {
            offer.prepare.accept(id.createQp(offer.pd, offer.attr));
            lock.lock();
            try {
                underWay.put(id, new Handshake(offer, request.conn()));
            } finally {
                lock.unlock();
            }
            id.accept(offer.param);
            done = true;
        } catch (VerbsException e) {
            if (e.errno() != Errno.ECONNABORTED && !id.isClosed()) {
                throw e;
            }
            ended(id, e.getMessage());
        } finally {
            if (!done) {
                lock.lock();
                try {
                    underWay.remove(id);
                } finally {
                    lock.unlock();
                }
                id.close();
            }
        }
    }

    private static void ended(CmId id, String why) {
        System.getLogger(Handshakes.class.getName())
                .log(System.Logger.Level.DEBUG, "the request from {0} failed: {1}", id.peerAddress(), why);
    }

    /** Ends the handshakes whose time is over, and connections that no call has taken. */
    private void endLate() {
        long now = System.nanoTime();
        List<CmId> late = new ArrayList<>();
        List<CmConnection> untaken = new ArrayList<>();
        lock.lock();
        try {
            underWay.entrySet().removeIf(e -> now - e.getValue().begun >= limit && late.add(e.getKey()));
            established.removeIf(
                    one -> !isRemembered(one.owner) && now - one.begun >= 2 * limit && untaken.add(one.connection));
        } finally {
            lock.unlock();
        }
        for (CmId id : late) {
            ended(id, "it was not confirmed in time");
            id.close();
        }
        untaken.forEach(CmConnection::close);
    }

    /** Returns the time until the next handshake is late. */
    private long untilLate() {
        lock.lock();
        try {
            return underWay.isEmpty()
                    ? Long.MAX_VALUE
                    : Math.max(0, underWay.values().iterator().next().begun + limit - System.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    // ---- events

    private long changes() {
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a change since {@code seen}, taking an event itself if no other thread does. Returns false if the time
     * is over, or after a wake-up. The caller leaves to others what is ready now.
     */
    private boolean await(long nanos, long seen) {
        Interrupts.check(VERB, nanos);
        announce();
        lock.lock();
        try {
            if (closed) {
                throw closedListener();
            }
            if (changes != seen) {
                return true;
            }
            if (leading) {
                long left = nanos;
                while (left > 0 && changes == seen && !woken) {
                    left = changed.awaitNanos(left);
                }
                return changes != seen;
            }
            leading = true;
        } catch (InterruptedException e) {
            throw Interrupts.failed(VERB, e);
        } finally {
            lock.unlock();
        }
        try {
            CmEvent event = channel.get(VERB, nanos, () -> woken);
            if (event != null) {
                take(event);
            }
            return event != null;
        } catch (VerbsException e) {
            if (isClosed()) {
                throw closedListener();
            }
            throw e;
        } finally {
            lock.lock();
            try {
                leading = false;
                changes++;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private static VerbsException closedListener() {
        return Arguments.closed(VERB, "the listener");
    }

    private void take(CmEvent event) {
        CmId id = event.id();
        boolean wanted = true;
        Handshake confirmed = null;
        lock.lock();
        try {
            switch (event.type()) {
                case CmEventType.CONNECT_REQUEST -> {
                    wanted = event.listenId() == listener && !closed;
                    if (wanted) {
                        requests.add(event);
                        unannounced = true;
                    }
                }
                case CmEventType.ESTABLISHED -> {
                    confirmed = underWay.remove(id);
                    wanted = confirmed == null || !closed;
                }
                case CmEventType.REJECTED,
                        CmEventType.UNREACHABLE,
                        CmEventType.CONNECT_ERROR,
                        CmEventType.DISCONNECTED,
                        CmEventType.DEVICE_REMOVAL ->
                    wanted = underWay.remove(id) == null && !requests.removeIf(request -> request.id() == id);
                default -> {
                    // nothing that ends a handshake
                }
            }
        } finally {
            lock.unlock();
        }
        if (!wanted) {
            ended(id, event.statusText());
            id.close();
        } else if (confirmed != null) {
            establish(id, confirmed);
        }
    }

    /** Makes the connection. Without the lock: wakeup() takes it with locks held that this method needs. */
    private void establish(CmId id, Handshake one) {
        one.connection = CmConnection.accepted(id, one.peer);
        boolean late;
        lock.lock();
        try {
            late = closed;
            if (!late) {
                established.add(one);
                unannounced = true;
            }
        } finally {
            lock.unlock();
        }
        if (late) {
            one.connection.close();
        }
    }

    // ---- event loops

    /** Ends one wait without a result: that of a waiting thread, otherwise the next one. */
    void wakeup() {
        woken = true;
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        channel.recheck();
    }

    private boolean takeWakeUp() {
        lock.lock();
        try {
            boolean taken = woken;
            woken = false;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Sets an action that runs when there may be something for a call to take; runs it now if there is something. */
    void onEvent(Runnable value) {
        lock.lock();
        try {
            if (closed) {
                throw closedListener();
            }
            action = value;
            unannounced = true;
        } finally {
            lock.unlock();
        }
        channel.onEvent(value);
        announce();
    }

    /**
     * Runs the action for what a call has queued or found and leaves to others, because no further event will report
     * it.
     */
    private void announce() {
        Runnable told;
        lock.lock();
        try {
            told = unannounced && !(requests.isEmpty() && established.isEmpty()) ? action : null;
            unannounced = false;
        } finally {
            lock.unlock();
        }
        Actions.run(told, "events of a listener");
    }

    /** Ends all handshakes and closes the channel. */
    void close() {
        List<Handshake> left;
        lock.lock();
        try {
            closed = true;
            action = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        channel.close();
        lock.lock();
        try {
            left = List.copyOf(established);
            established.clear();
            requests.clear();
            underWay.clear();
        } finally {
            lock.unlock();
        }
        left.forEach(one -> one.connection.close());
    }
}
