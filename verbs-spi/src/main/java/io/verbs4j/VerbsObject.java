/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.concurrent.TimeUnit;

/**
 * The base of all handles: it has the context they belong to, and {@link #close()}.
 *
 * <p>Closing is idempotent. Closing a parent that still has children fails with {@link Errno#EBUSY}, and it stays open.
 * Using a handle after it was closed fails with an error. Control verbs may be called from any thread.
 *
 * <p><strong>Reserved names.</strong> Every method name on a handle belongs to the header, including those of later
 * levels. A subclass outside the header declares no methods, static or not, except private ones and overrides of the
 * header's abstract ones; everything else that a provider needs lives in a separate object behind a field. Otherwise a
 * method of the provider could clash with one that a later header adds: if that is final, the JVM rejects the
 * provider's class ({@code IncompatibleClassChangeError}), otherwise the provider's method overrides it
 * unintentionally. The conformance kit checks for that.
 *
 * <p>A verb returns to the program the very object that the provider created, so a provider's own verbs may cast it.
 */
public abstract class VerbsObject implements AutoCloseable {
    private final Context context;

    /** The library's own record of this object; see {@link Context#libraryState(VerbsObject)}. */
    volatile Object libraryState;

    /** Whether closing frees only the handle, because another context created the object. Set by the header. */
    volatile boolean imported;

    VerbsObject(Context context) {
        this.context = context;
    }

    /** {@return the context that the object belongs to; a context returns itself} */
    public final Context context() {
        return this instanceof Context self ? self : context;
    }

    /**
     * Returns the library's functions of the object's context.
     *
     * @return the functions
     */
    final ContextOps ops() {
        return context().libraryOps();
    }

    /** Converts the timeout of a verb to the nanoseconds that {@link ContextOps} expects. */
    static long nanos(String verb, long timeout, TimeUnit unit) {
        if (unit == null) {
            throw new VerbsException(Errno.EINVAL, verb, "unit is null; pass the unit of the timeout");
        }
        return Math.max(0, unit.toNanos(timeout));
    }

    /**
     * Destroys the object; does nothing if that was done before.
     *
     * @throws VerbsException {@link Errno#EBUSY} if something still refers to it; the object is then unchanged
     */
    @Override
    public abstract void close();
}
