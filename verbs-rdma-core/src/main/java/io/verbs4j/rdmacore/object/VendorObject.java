/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.rdmacore.memory.Pin;
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
        if (!pin.enter()) {
            throw new VerbsException(Errno.EINVAL, verb, "this " + kind + " is closed; make another one");
        }
        try {
            return body.get();
        } finally {
            pin.leave();
        }
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

    /** Ends a use. */
    public void leave() {
        pin.leave();
    }

    /**
     * Destroys it; does nothing where that was done before. Waits for calls of other threads that use it.
     *
     * @param wake wakes those who wait for something inside a use
     * @param destroy ends it; where it throws, it is as it was
     */
    public void close(Runnable wake, Runnable destroy) {
        closing.lock(); // no monitor: a virtual thread that waits in here keeps no carrier
        try {
            if (!closed) {
                wake.run();
                pin.closeFor(() -> children.unmake(kind, destroy));
                closed = true;
            }
        } finally {
            closing.unlock();
        }
    }
}
