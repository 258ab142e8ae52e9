/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.object.VendorObject;
import java.util.function.Supplier;

/**
 * A handle that was created through mlx5dv and that the library does not know. It keeps the context open, is not
 * destroyed while in use, and is destroyed once.
 */
abstract class DvHandle implements AutoCloseable {
    private final VendorContext base;
    private final VendorObject object;

    DvHandle(VendorContext base, String kind) {
        this.base = base;
        this.object = new VendorObject(base.children(), kind);
    }

    /** Creates an object, which counts as a child of the context from then on. */
    static <T> T make(VendorContext base, String verb, String kind, Supplier<T> body) {
        return base.children().make(verb, kind, body);
    }

    final VendorContext base() {
        return base;
    }

    final VendorObject object() {
        return object;
    }

    /** Runs a call that needs this handle to stay open. */
    final <T> T use(String verb, Supplier<T> body) {
        return object.use(verb, body);
    }

    /** Runs a call as {@link #use} does, without a result. */
    final void run(String verb, Runnable body) {
        object.run(verb, body);
    }

    /** Begins a use, for posts, which {@link #leave} ends; returns false if the handle is closed. */
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
                    Errno.EINVAL,
                    verb,
                    "the " + other.object.kind() + " belongs to another context; create one in this context");
        }
    }

    /** Destroys the object. Called when nothing uses it any more; if it throws, the object remains as it was. */
    abstract void destroy();

    /** Wakes threads that wait inside a use. */
    void wake() {}

    /**
     * Destroys the object; repeated calls do nothing. Waits for other threads' calls that use it.
     *
     * @throws VerbsException {@link Errno#EBUSY} if something still refers to the object, which then remains as it was
     */
    @Override
    public void close() {
        object.close(this::wake, this::destroy);
    }
}
