/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.concurrent.TimeUnit;

/**
 * What all handles have in common: a context they belong to, and an end.
 *
 * <p>Closing is idempotent. A parent that still has children answers {@link Errno#EBUSY} and stays open. A handle that is
 * used after it was closed answers with an error. Control verbs may be called from any thread.
 *
 * <p><strong>Reserved names.</strong> Every method name on a handle belongs to the header, those of later levels included. A
 * subclass outside the header declares no method, static or not, but private ones and overrides of the header's abstract
 * ones; what else a provider needs lives in an object of its own behind a field. A method that a later header adds would
 * otherwise meet the provider's: where it is final the JVM refuses the provider's class ({@code
 * IncompatibleClassChangeError}), else the provider's stands in for it unasked. The conformance kit looks for that.
 *
 * <p>What a program gets from a verb is the very object that the provider has made: a provider's own verbs may cast it.
 */
public abstract class VerbsObject implements AutoCloseable {
    private final Context context;

    /** The library's own record of this object; see {@link Context#libraryState(VerbsObject)}. */
    volatile Object libraryState;

    /** Whether closing it frees the handle alone, because another context has made what it stands for. Set by the header. */
    volatile boolean imported;

    VerbsObject(Context context) {
        this.context = context;
    }

    /**
     * The context that the object belongs to.
     *
     * @return the context; a context answers itself
     */
    public final Context context() {
        return this instanceof Context self ? self : context;
    }

    /**
     * The library's functions of the object's context.
     *
     * @return the functions
     */
    final ContextOps ops() {
        return context().libraryOps();
    }

    /** How long a verb with a timeout is to wait, as {@link ContextOps} has it. */
    static long nanos(String verb, long timeout, TimeUnit unit) {
        if (unit == null) {
            throw new VerbsException(Errno.EINVAL, verb, "unit is null; pass the unit of the timeout");
        }
        return Math.max(0, unit.toNanos(timeout));
    }

    /**
     * Destroys the object; does nothing where that was done before.
     *
     * @throws VerbsException {@link Errno#EBUSY} where something still refers to it; the object then stays as it was
     */
    @Override
    public abstract void close();
}
