/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A descriptor that is closed only when no call is using it any more: its number may at once stand for another file, and
 * a late call would go there.
 */
final class FileDescriptor {
    private static final int CLOSED = Integer.MIN_VALUE;

    private final int fd;
    private final AtomicInteger users = new AtomicInteger();

    FileDescriptor(int fd) {
        this.fd = fd;
    }

    /** The number; valid between {@link #enter} and {@link #exit}. */
    int fd() {
        return fd;
    }

    /** Keeps the descriptor open; false where it is closed already. */
    boolean enter() {
        if (users.getAndIncrement() < 0) {
            users.getAndDecrement();
            return false;
        }
        return true;
    }

    /** Ends an {@link #enter} that was answered with true. */
    void exit() {
        users.getAndDecrement();
    }

    /** Closes, after the calls under way: whoever calls this has made sure that they end. Idempotent. */
    void close() {
        int now;
        do {
            now = users.get();
            if (now < 0) {
                return;
            }
        } while (!users.compareAndSet(now, now | CLOSED));
        for (int i = 0; users.get() != CLOSED; i++) {
            if (i < 100) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(20_000);
            }
        }
        Posix.close(fd);
    }
}
