/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps something from going away while others use it, for the length of a call: a post that names an address handle, an
 * inline send that reads a region.
 *
 * <p>Entering and leaving cost one atomic operation each and never wait.
 */
public final class Pin {
    private static final int CLOSED = Integer.MIN_VALUE;

    private final AtomicInteger users = new AtomicInteger();

    /** Nobody uses it to begin with. */
    public Pin() {}

    /** Begins a use; false where the thing is gone. */
    public boolean enter() {
        if (users.getAndIncrement() >= 0) {
            return true;
        }
        users.getAndDecrement();
        return false;
    }

    /**
     * Whether uses may begin, for those whom {@link #closeFor} waits for in another way: they hold something that its {@code
     * before} waits for.
     */
    public boolean isOpen() {
        return users.get() >= 0;
    }

    /** Negative where it is not {@link #isOpen}. */
    int sign() {
        return users.get();
    }

    /** Ends a use. */
    public void leave() {
        users.getAndDecrement();
    }

    /** Keeps new users away, and waits until those that are there have left. */
    public void close() {
        users.getAndUpdate(n -> n | CLOSED);
        for (int i = 0; users.get() != CLOSED; i++) {
            if (i < 1000) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(10_000);
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
        try {
            before.run();
            reason.run();
        } catch (RuntimeException e) {
            reopen();
            throw e;
        }
    }

    /** Lets users in again, after a {@link #close} whose reason is over. */
    public void reopen() {
        users.getAndUpdate(n -> n & ~CLOSED);
    }
}
