/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Errno;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.core.base.Printable;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The library's record of one object: whether it is open, what refers to it, which calls use it, and its events.
 *
 * <p>The lock guards the fields and is never held while the provider runs. A call that uses the object is counted;
 * closing first refuses new calls and then waits for those in progress.
 */
class ObjectState {
    private enum Life {
        OPENING,
        OPEN,
        CLOSING,
        CLOSED
    }

    private final LibraryContext owner;
    private final Kind kind;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Held by calls that change the object, so that the provider gets them one after another. */
    private final ReentrantLock changes = new ReentrantLock();

    private final Map<Kind, Integer> children = new EnumMap<>(Kind.class);
    private final EventCounts events = new EventCounts();
    private List<ObjectState> parents;
    private VerbsObject handle;
    private Life life = Life.OPENING;
    private int calls;

    ObjectState(LibraryContext owner, Kind kind, List<ObjectState> parents) {
        this.owner = owner;
        this.kind = kind;
        this.parents = List.copyOf(parents);
    }

    LibraryContext owner() {
        return owner;
    }

    Kind kind() {
        return kind;
    }

    /** The parents, which the object keeps from being closed. */
    List<ObjectState> parents() {
        lock.lock();
        try {
            return parents;
        } finally {
            lock.unlock();
        }
    }

    /** Replaces the parents; for a call that changes the object and has moved the references. */
    void parents(List<ObjectState> newParents) {
        lock.lock();
        try {
            parents = List.copyOf(newParents);
        } finally {
            lock.unlock();
        }
    }

    void opened(VerbsObject newHandle) {
        lock.lock();
        try {
            handle = newHandle;
            life = Life.OPEN;
        } finally {
            lock.unlock();
        }
    }

    boolean isOpen() {
        lock.lock();
        try {
            return life == Life.OPEN;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Begins a call that uses the object, which cannot be closed until {@link #leave}. Does not take the call as a
     * lambda: each lambda would define a class at its first use, and the program's first transfer would wait for all of
     * them.
     */
    void enter(String verb) {
        lock.lock();
        try {
            requireOpen(verb);
            calls++;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a call that has entered. */
    void leave() {
        lock.lock();
        try {
            calls--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #enter}, for a call that changes the object. */
    void enterChange(String verb) {
        enter(verb);
        changes.lock();
    }

    /** Ends an {@link #enterChange}. */
    void leaveChange() {
        changes.unlock();
        leave();
    }

    void addChild(String verb, Kind child) {
        lock.lock();
        try {
            requireOpen(verb);
            children.put(child, children.getOrDefault(child, 0) + 1);
        } finally {
            lock.unlock();
        }
    }

    void removeChild(Kind child) {
        lock.lock();
        try {
            int left = children.getOrDefault(child, 0) - 1;
            if (left > 0) {
                children.put(child, left);
            } else {
                children.remove(child);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes the object by {@code destroy}; if that throws, the object stays open. Returns at once if the object is
     * closed; if another thread is closing it, waits for that to end.
     */
    void close(String verb, Runnable destroy) {
        if (!beginClose(verb)) {
            return;
        }
        boolean destroyed = false;
        try {
            destroy.run();
            destroyed = true;
        } finally {
            endClose(destroyed);
        }
    }

    /**
     * Waits only for calls that use the object, which end by themselves. Does not wait for acknowledgements: events
     * that were handed out stay valid, and their owner may never return them.
     */
    private boolean beginClose(String verb) {
        lock.lock();
        try {
            while (life == Life.CLOSING) {
                changed.awaitUninterruptibly();
            }
            if (life == Life.CLOSED) {
                return false;
            }
            requireNoChildren(verb);
            life = Life.CLOSING;
            while (calls > 0) {
                changed.awaitUninterruptibly();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void endClose(boolean destroyed) {
        if (destroyed) {
            // Before the state changes: a waiting thread may close the parents next.
            parents().forEach(parent -> parent.removeChild(kind));
            released();
        }
        lock.lock();
        try {
            life = destroyed ? Life.CLOSED : Life.OPEN;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Called once, when the provider has destroyed the object or has failed to create it. */
    void released() {}

    private void requireOpen(String verb) {
        if (life == Life.OPEN) {
            return;
        }
        if (life == Life.OPENING) {
            throw Arguments.invalid(verb, this + " is not open yet; use it after its creation has returned");
        }
        throw Arguments.invalid(
                verb,
                life == Life.CLOSING
                        ? this + " is being closed by another thread; close it last"
                        : this + " is closed; use an open one");
    }

    private void requireNoChildren(String verb) {
        if (children.isEmpty()) {
            return;
        }
        StringBuilder who = new StringBuilder();
        children.forEach(
                (child, count) -> who.append(who.length() == 0 ? "" : ", ").append(child.count(count)));
        String remedy = children.containsKey(Kind.ATTACHMENT) ? "detach it from its groups first" : "close them first";
        throw new VerbsException(Errno.EBUSY, verb, this + " still has " + who + "; " + remedy);
    }

    /**
     * Counts a completion event.
     *
     * @return false if the object is closed: drop the event then
     */
    boolean deliverCompletion() {
        lock.lock();
        try {
            if (closedMeanwhile()) {
                return false;
            }
            events.deliverCompletion();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #deliverCompletion}, for an asynchronous event. */
    boolean deliver(AsyncEvent event) {
        lock.lock();
        try {
            if (closedMeanwhile()) {
                return false;
            }
            events.deliver(event);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a close in progress to end, because the event must not be lost if that fails. */
    private boolean closedMeanwhile() {
        while (life == Life.CLOSING) {
            changed.awaitUninterruptibly();
        }
        return life != Life.OPEN;
    }

    /** Acknowledges completion events; {@code tell} passes that on to the provider. */
    void acknowledge(String verb, int count, Runnable tell) {
        enter(verb);
        try {
            claimCompletions(verb, count);
            tell.run();
        } finally {
            leave();
        }
    }

    private void claimCompletions(String verb, int count) {
        lock.lock();
        try {
            int most = events.completions();
            if (count > most) {
                throw Arguments.invalid(
                        verb, "count is " + count + ", but " + most + " events of " + this + " are unacknowledged");
            }
            events.claimCompletions(count);
        } finally {
            lock.unlock();
        }
    }

    /** Acknowledges an asynchronous event; {@code tell} passes that on to the provider, unless the object is closed. */
    void acknowledge(String verb, AsyncEvent event, Runnable tell) {
        lock.lock();
        try {
            if (life == Life.CLOSED) {
                return;
            }
            if (!events.claim(event)) {
                throw Arguments.invalid(
                        verb,
                        "the event (" + event
                                + ") can't be acknowledged: it was acknowledged before, or get_async_event"
                                + " did not return it; acknowledge each event once");
            }
            if (life == Life.CLOSING) {
                return;
            }
            calls++;
        } finally {
            lock.unlock();
        }
        try {
            tell.run();
        } finally {
            leave();
        }
    }

    @Override
    public final String toString() {
        String number = handle instanceof QueuePair qp ? " " + qp.qpNum() : "";
        return kind + number + " of " + Printable.line(owner.device().name());
    }
}
