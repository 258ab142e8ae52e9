/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import io.verbs4j.natives.lock.Nap;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Keeps an object from being destroyed while other threads use it during a call, for instance a post that names an
 * address handle, or an inline send that reads a region.
 *
 * <p>Entering and leaving cost one atomic operation each, a refused entry two; neither ever blocks.
 */
public final class Pin {
    private static final int CLOSED = Integer.MIN_VALUE;

    private static final VarHandle USERS;

    static {
        try {
            USERS = MethodHandles.lookup().findVarHandle(Pin.class, "users", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The number of users, and whether new ones are refused. A plain field, because every post reads it. */
    private int users;

    /** Creates an open pin without users. */
    public Pin() {}

    /** Begins a use; returns false if the object is closed. */
    public boolean enter() {
        if ((int) USERS.getAndAdd(this, 1) >= 0) {
            return true;
        }
        USERS.getAndAdd(this, -1);
        return false;
    }

    /**
     * Returns whether uses may begin, for callers that {@link #closeFor} waits for in another way: they hold something
     * that its {@code before} waits for.
     */
    public boolean isOpen() {
        return (int) USERS.getVolatile(this) >= 0;
    }

    /**
     * Returns a negative number unless {@link #isOpen}, by a plain load. For callers that hold such a thing: the fence
     * of taking it keeps the load from moving before it, and no later value is needed.
     */
    int sign() {
        return users;
    }

    /** Ends a use. */
    public void leave() {
        USERS.getAndAdd(this, -1);
    }

    /** Refuses new users and waits until the present ones have left. */
    public void close() {
        USERS.getAndBitwiseOr(this, CLOSED);
        for (int i = 0; (int) USERS.getVolatile(this) != CLOSED; i++) {
            if (i < 1000) {
                Thread.onSpinWait();
            } else {
                Nap.nanos(10_000);
            }
        }
    }

    /** Closes the pin and runs the reason; if that throws, reopens it. */
    public void closeFor(Runnable reason) {
        closeFor(() -> {}, reason);
    }

    /** As {@link #closeFor(Runnable)}; {@code before} waits for callers that only checked {@link #isOpen}. */
    public void closeFor(Runnable before, Runnable reason) {
        close();
        boolean complete = false;
        try {
            before.run();
            reason.run();
            complete = true;
        } finally {
            if (!complete) {
                reopen(); // after an error as well: the object still exists
            }
        }
    }

    /** Admits users again, after a {@link #close} whose reason is over. */
    public void reopen() {
        USERS.getAndBitwiseAnd(this, ~CLOSED);
    }
}
