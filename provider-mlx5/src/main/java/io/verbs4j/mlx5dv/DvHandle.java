/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.object.VendorObject;
import java.util.function.Supplier;

/**
 * What was made through mlx5dv, and the library knows nothing of: it keeps the context open, is not destroyed while it is used, and
 * is destroyed once.
 */
abstract class DvHandle implements AutoCloseable {
    private final VendorContext base;
    private final VendorObject object;

    DvHandle(VendorContext base, String kind) {
        this.base = base;
        this.object = new VendorObject(base.children(), kind);
    }

    /** Makes something, which counts as a child of the context from then on. */
    static <T> T make(VendorContext base, String verb, String kind, Supplier<T> body) {
        return base.children().make(verb, kind, body);
    }

    final VendorContext base() {
        return base;
    }

    final VendorObject object() {
        return object;
    }

    /** Calls something that needs this to stay. */
    final <T> T use(String verb, Supplier<T> body) {
        return object.use(verb, body);
    }

    /** As {@link #use}, without a result. */
    final void run(String verb, Runnable body) {
        object.run(verb, body);
    }

    /** Begins a use that {@link #leave} ends, for posts; false where it is closed. */
    final boolean enter() {
        return object.enter();
    }

    /** Ends a use. */
    final void leave() {
        object.leave();
    }

    /** Refuses an object of another context, whose numbers mean nothing in this one. */
    final void requireSameContext(String verb, DvHandle other) {
        if (other.base != base) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "the " + other.object.kind() + " is one of another context; make one in this");
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
        object.close(this::wake, this::destroy);
    }
}
