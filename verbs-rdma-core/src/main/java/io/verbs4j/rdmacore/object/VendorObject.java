/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.rdmacore.memory.Pin;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * An object that a vendor function has created and that the library does not know. It keeps the context open, is not
 * destroyed while in use, and is destroyed only once. It already counts as a child of the context. Thread-safe.
 */
public final class VendorObject {
    private final Children children;
    private final String kind;
    private final Pin pin = new Pin();
    private final AtomicInteger references = new AtomicInteger();
    private final ReentrantLock closing = new ReentrantLock();
    private boolean closed;

    /**
     * Creates the object for a child that {@link Children#make} has counted.
     *
     * @param kind the kind that it was counted as
     */
    public VendorObject(Children children, String kind) {
        this.children = children;
        this.kind = kind;
    }

    /** {@return the kind that it was counted as} */
    public String kind() {
        return kind;
    }

    /**
     * Calls a function while this object is kept open.
     *
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public <T> T use(String verb, Supplier<T> body) {
        enter(verb);
        try {
            return body.get();
        } finally {
            leave();
        }
    }

    /**
     * Begins a use during which this object stays open, for callers that must not allocate. {@link #leave} ends it.
     *
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public void enter(String verb) {
        if (!pin.enter()) {
            throw new VerbsException(Errno.EINVAL, verb, "this " + kind + " is closed; create another one");
        }
    }

    /** Ends a use that {@link #enter} has begun. */
    public void leave() {
        pin.leave();
    }

    /**
     * Keeps this object from being closed until {@link #release}, for objects that refer to it longer than a call.
     *
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public void retain(String verb) {
        enter(verb);
        references.incrementAndGet();
        leave();
    }

    /** Ends one {@link #retain}. */
    public void release() {
        references.decrementAndGet();
    }

    /** As {@link #use}, without a result. */
    public void run(String verb, Runnable body) {
        use(verb, () -> {
            body.run();
            return null;
        });
    }

    /** Begins a use that {@link #leave} ends, for posts; returns false if the object is closed. */
    public boolean enter() {
        return pin.enter();
    }

    /**
     * Destroys the object; does nothing if that was done before. Waits for other threads' calls that use it.
     *
     * @param wake wakes threads that wait inside a use
     * @param destroy destroys the object; if it throws, the object stays as it was
     * @throws VerbsException {@link Errno#EBUSY} if the object is retained; it then stays as it was
     */
    public void close(Runnable wake, Runnable destroy) {
        closing.lock(); // not a monitor, which would pin the carrier of a waiting virtual thread
        try {
            if (!closed) {
                wake.run();
                pin.closeFor(() -> {
                    requireNoReferences();
                    children.unmake(kind, destroy);
                });
                closed = true;
            }
        } finally {
            closing.unlock();
        }
    }

    private void requireNoReferences() {
        int count = references.get();
        if (count != 0) {
            throw new VerbsException(
                    Errno.EBUSY,
                    "close",
                    "this " + kind + " is used by " + count + " other objects; close these first");
        }
    }
}
