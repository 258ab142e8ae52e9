/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Which thread reads completions of a queue one by one, over several calls. The queue's lock is taken for each of them and not
 * between: it is what others wait for who want to know that nobody is in the midst of a call. A thread that has ended reads no more.
 */
final class ReadingTurn {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RingLock lock;
    private final Runnable end;
    private Thread reader; // changed with the lock; that it is oneself is seen without
    private int waiting; // who wants to change the queue itself, and goes first

    /** Nobody reads. {@code end} is done, with the lock, when reading ends. */
    ReadingTurn(RingLock lock, Runnable end) {
        this.lock = lock;
        this.end = end;
    }

    /** Whether nobody reads, seen with the lock. */
    boolean isFree() {
        return reader == null;
    }

    /** Whether the calling thread reads. */
    boolean isMine() {
        return reader == Thread.currentThread();
    }

    /** Whether the calling thread may begin, seen with the lock. */
    boolean mayStart() {
        return reader == null && waiting == 0;
    }

    /** The calling thread reads from now on; with the lock. */
    void start() {
        reader = Thread.currentThread();
    }

    /** Nobody does from now on; with the lock. */
    void end() {
        end.run();
        reader = null;
    }

    /** Waits, without the lock, until it may be free; false where the calling thread itself reads. */
    boolean await() {
        for (int i = 0; !isMine(); i++) {
            if (seenFree()) {
                return true;
            }
            pause(i);
        }
        return false;
    }

    private boolean seenFree() {
        boolean asOwner = lock.lockOnce();
        try {
            if (reader != null && !reader.isAlive()) {
                end();
            }
            return mayStart();
        } finally {
            lock.unlock(asOwner);
        }
    }

    private static void pause(int i) {
        if (i < 50) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(20_000);
        }
    }

    /**
     * Takes the lock while nobody reads, as {@link RingLock#lockOnce}, to change the queue itself.
     *
     * @throws VerbsException {@link Errno#EBUSY} where somebody reads and goes on, or the calling thread does
     */
    boolean lockUnread(String verb) {
        boolean asOwner = lock.lockOnce();
        if (reader == null) {
            return asOwner;
        }
        waiting++;
        long since = System.nanoTime();
        for (int i = 0; reader != null; i++) {
            if (!reader.isAlive()) {
                end();
            } else if (isMine() || System.nanoTime() - since > PATIENCE_NANOS) {
                String who = isMine() ? "this thread" : "thread " + reader.getName();
                waiting--;
                lock.unlock(asOwner);
                throw new VerbsException(
                        Errno.EBUSY, verb, who + " is reading completions of the queue; it must call endPoll first");
            } else {
                lock.unlock(asOwner);
                pause(i);
                asOwner = lock.lockOnce();
            }
        }
        waiting--;
        return asOwner;
    }
}
