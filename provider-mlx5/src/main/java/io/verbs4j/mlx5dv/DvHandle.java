/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.mlx5.Mlx5Context;
import io.verbs4j.rdmacore.memory.Pin;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * What was made through mlx5dv, and the library knows nothing of: it keeps the context open, is not destroyed while it is used, and
 * is destroyed once.
 */
abstract class DvHandle implements AutoCloseable {
    private final Mlx5Context base;
    private final String kind;
    private final Pin pin = new Pin();
    private final ReentrantLock closing = new ReentrantLock();
    private boolean closed;

    DvHandle(Mlx5Context base, String kind) {
        this.base = base;
        this.kind = kind;
    }

    /** Makes something, which counts as a child of the context from then on. */
    static <T> T make(Mlx5Context base, String verb, String kind, Supplier<T> body) {
        return base.children().make(verb, kind, body);
    }

    final Mlx5Context base() {
        return base;
    }

    /** Calls something that needs this to stay. */
    final <T> T use(String verb, Supplier<T> body) {
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
    final void run(String verb, Runnable body) {
        use(verb, () -> {
            body.run();
            return null;
        });
    }

    /** Refuses an object of another context, whose numbers mean nothing in this one. */
    final void requireSameContext(String verb, DvHandle other) {
        if (other.base != base) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "the " + other.kind + " is one of another context; make one in this");
        }
    }

    /** Ends it: called once nobody uses it; where it throws, it is as it was. */
    abstract void destroy();

    /** Wakes those who wait for something inside a use. */
    void wake() {}

    /**
     * Destroys it; does nothing where that was done before. Waits for calls of other threads that use it.
     *
     * @throws VerbsException {@link Errno#EBUSY} where something still refers to it; it then stays as it was
     */
    @Override
    public void close() {
        closing.lock(); // no monitor: a virtual thread that waits in here keeps no carrier
        try {
            if (!closed) {
                wake();
                pin.closeFor(() -> base.children().unmake(kind, this::destroy));
                closed = true;
            }
        } finally {
            closing.unlock();
        }
    }
}
