/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.concurrent.TimeUnit;

/**
 * Tracks which thread reads a queue's completions in place, over several calls. All methods except {@link #isMine}
 * require the queue's lock, which is taken for each call and not held in between. If the reading thread has died, the
 * next thread that checks ends its reading.
 *
 * <p>If the queue is for one thread at a time, the turn belongs to whichever thread calls, and no thread waits.
 */
public final class ReadingTurn {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Releases the queue's lock to other threads for a while. */
    @FunctionalInterface
    public interface Gap {
        /**
         * Releases the lock, waits briefly and takes it again. An interrupted thread waits as well, and stays
         * interrupted.
         *
         * @param round number of earlier passes in this wait
         */
        void pass(int round);
    }

    private final Gap gap;
    private final Runnable end;
    private final boolean oneThread;
    private Thread reader; // written with the lock held; a thread sees its own value without
    private int holders; // threads that change, or wait to change, the queue: no thread starts to read meanwhile

    /**
     * Creates the turn; no thread is reading.
     *
     * @param gap releases the lock to others
     * @param end runs with the lock held when reading ends
     * @param oneThread whether the program promises that no two threads use the queue at the same time
     */
    public ReadingTurn(Gap gap, Runnable end, boolean oneThread) {
        this.gap = gap;
        this.end = end;
        this.oneThread = oneThread;
    }

    /**
     * Returns whether the calling thread is reading.
     *
     * @return false if no thread is
     */
    public boolean isMine() {
        Thread r = reader;
        return r == Thread.currentThread() || oneThread && r != null;
    }

    /**
     * Returns whether no thread is reading.
     *
     * @return true if the reading thread has died
     */
    public boolean isFree() {
        if (reader != null && !oneThread && !reader.isAlive()) {
            end();
        }
        return reader == null;
    }

    /**
     * Returns whether the calling thread may start to read.
     *
     * @return false if another thread is reading or holds the queue
     */
    public boolean mayStart() {
        return !isHeld() && isFree();
    }

    /**
     * Returns whether a thread changes, or waits to change, the queue itself.
     *
     * @return true for the calling thread as well
     */
    public boolean isHeld() {
        return holders != 0;
    }

    /** Makes the calling thread the reader. */
    public void start() {
        reader = Thread.currentThread();
    }

    /** Ends reading. */
    public void end() {
        end.run();
        stop();
    }

    /** As {@link #end}, for a caller that has already done what the end action does. */
    public void stop() {
        reader = null;
    }

    /**
     * Waits up to a second until no thread is reading.
     *
     * @param alone whether no thread may hold the queue either
     * @return false if another thread is still reading or holds the queue, or at once if the calling thread is reading
     */
    public boolean await(boolean alone) {
        if (isMine()) {
            return false;
        }
        long since = 0;
        for (int round = 0; !(alone ? mayStart() : isFree()); round++) {
            long now = System.nanoTime();
            since = round == 0 ? now : since;
            if (now - since > PATIENCE_NANOS) {
                return false;
            }
            gap.pass(round);
        }
        return true;
    }

    /**
     * Waits for a limited time until no thread is reading, and keeps others from starting meanwhile.
     *
     * @param verb the verb that follows
     * @throws VerbsException {@link Errno#EBUSY} if another thread continues to read, or if the calling thread is the
     *     reader
     */
    public void requireUnread(String verb) {
        holders++;
        boolean free = await(false);
        holders--;
        if (!free) {
            String who = reader == Thread.currentThread() ? "this thread" : "thread " + reader.getName();
            throw new VerbsException(
                    Errno.EBUSY, verb, who + " is reading completions of the queue; it must call endPoll first");
        }
    }

    /**
     * As {@link #requireUnread}, and keeps threads from reading until {@link #release}.
     *
     * @param verb the verb that follows
     * @throws VerbsException {@link Errno#EBUSY} likewise; nothing is held then
     */
    public void hold(String verb) {
        requireUnread(verb);
        holders++;
    }

    /** Ends a {@link #hold}. */
    public void release() {
        holders--;
    }
}
