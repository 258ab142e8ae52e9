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
 * The library's record of one object: whether it is open, what refers to it, which calls about it are under way, and its
 * events.
 *
 * <p>The lock guards the fields and is never held while the provider runs. A call that uses the object is counted in and
 * out; a close first keeps new calls away and then waits for those under way.
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

    /** Held during calls that change the object, so that the provider gets them one after the other. */
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

    /** What the object refers to, and keeps from being closed. */
    List<ObjectState> parents() {
        lock.lock();
        try {
            return parents;
        } finally {
            lock.unlock();
        }
    }

    /** Makes the object refer to others; for a call that changes it and has moved the references. */
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
     * A call begins that uses the object, which can't be closed until {@link #leave}. Not a method that is given a body: each body would be a
     * class that is made when a program first comes to it, and its first message would wait for all of them.
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

    /** A call ends that has entered. */
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
     * Closes the object by {@code destroy}; where that throws, the object stays open. Returns at once where the object is
     * closed; where another thread is closing it, waits for that to end.
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
     * Waits for nothing but calls about the object, which end by themselves. Events that were handed out are not waited for:
     * they stay valid, and who has them may never come back.
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
            // Before anyone learns that this is closed: whoever waited for it may close the parents next.
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

    /** Called once, when the provider has destroyed the object, or has not made it. */
    void released() {}

    private void requireOpen(String verb) {
        if (life == Life.OPEN) {
            return;
        }
        if (life == Life.OPENING) {
            throw Arguments.invalid(verb, this + " is not open yet; use it when its creation has returned");
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
     * Counts a completion event in.
     *
     * @return false where the object is closed: the event is then to be dropped
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

    /** Waits for a close under way to end: where it fails the event must not be lost. */
    private boolean closedMeanwhile() {
        while (life == Life.CLOSING) {
            changed.awaitUninterruptibly();
        }
        return life != Life.OPEN;
    }

    /** Gives completion events back; {@code tell} tells the provider. */
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
                        verb, "count is " + count + ", but " + most + " events of " + this + " are to be acknowledged");
            }
            events.claimCompletions(count);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Gives an asynchronous event back; {@code tell} tells the provider. Where the object is closed nobody needs to know any
     * more.
     */
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
                                + ") is not to be acknowledged: that was done before, or get_async_event"
                                + " did not give it; acknowledge each event once");
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
