/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.rdmacore.memory.Pin;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * What was made by a vendor's function, and the library knows nothing of: it keeps the context open, is not destroyed while it is
 * used, and is destroyed once. It counts as a child of the context already. Thread-safe.
 */
public final class VendorObject {
    private final Children children;
    private final String kind;
    private final Pin pin = new Pin();
    private final AtomicInteger references = new AtomicInteger();
    private final ReentrantLock closing = new ReentrantLock();
    private boolean closed;

    /**
     * Of one that {@link Children#make} has counted.
     *
     * @param kind what it was counted as
     */
    public VendorObject(Children children, String kind) {
        this.children = children;
        this.kind = kind;
    }

    /** What it was counted as. */
    public String kind() {
        return kind;
    }

    /**
     * Calls something that needs this to stay.
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
     * Begins a call that needs this to stay; for those who allocate nothing. {@link #leave} ends it.
     *
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public void enter(String verb) {
        if (!pin.enter()) {
            throw new VerbsException(Errno.EINVAL, verb, "this " + kind + " is closed; make another one");
        }
    }

    /** Ends what {@link #enter} has begun. */
    public void leave() {
        pin.leave();
    }

    /**
     * Keeps it from being closed until {@link #release}: for objects that refer to it longer than a call.
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

    /** Begins a use that {@link #leave} ends, for posts; false where it is closed. */
    public boolean enter() {
        return pin.enter();
    }

    /**
     * Destroys it; does nothing where that was done before. Waits for calls of other threads that use it.
     *
     * @param wake wakes those who wait for something inside a use
     * @param destroy ends it; where it throws, it is as it was
     * @throws VerbsException {@link Errno#EBUSY} where something retains it; it then stays as it was
     */
    public void close(Runnable wake, Runnable destroy) {
        closing.lock(); // no monitor: a virtual thread that waits in here keeps no carrier
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
