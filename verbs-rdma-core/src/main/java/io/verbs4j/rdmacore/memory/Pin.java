/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import io.verbs4j.natives.lock.Nap;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Keeps something from going away while others use it, for the length of a call: a post that names an address handle, an
 * inline send that reads a region.
 *
 * <p>Entering and leaving cost one atomic operation each and never wait.
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

    /** How many there are, and whether no more may come. Here and not in an object of its own: a post looks at it. */
    private int users;

    /** Nobody uses it to begin with. */
    public Pin() {}

    /** Begins a use; false where the thing is gone. */
    public boolean enter() {
        if ((int) USERS.getAndAdd(this, 1) >= 0) {
            return true;
        }
        USERS.getAndAdd(this, -1);
        return false;
    }

    /**
     * Whether uses may begin, for those whom {@link #closeFor} waits for in another way: they hold something that its {@code
     * before} waits for.
     */
    public boolean isOpen() {
        return (int) USERS.getVolatile(this) >= 0;
    }

    /**
     * Negative where it is not {@link #isOpen}; by a plain load: for those who hold something, the fence behind what they took it by
     * keeps it from being earlier, and later than that it need not be.
     */
    int sign() {
        return users;
    }

    /** Ends a use. */
    public void leave() {
        USERS.getAndAdd(this, -1);
    }

    /** Keeps new users away, and waits until those that are there have left. */
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

    /** As {@link #close}, and does what that is for; where it throws, users are let in again. */
    public void closeFor(Runnable reason) {
        closeFor(() -> {}, reason);
    }

    /** As the other, and lets {@code before} wait for those who have asked {@link #isOpen} only. */
    public void closeFor(Runnable before, Runnable reason) {
        close();
        boolean complete = false;
        try {
            before.run();
            reason.run();
            complete = true;
        } finally {
            if (!complete) {
                reopen(); // also after an error: the thing is there still
            }
        }
    }

    /** Lets users in again, after a {@link #close} whose reason is over. */
    public void reopen() {
        USERS.getAndBitwiseAnd(this, ~CLOSED);
    }
}
