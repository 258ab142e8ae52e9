/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.concurrent.TimeUnit;

/**
 * Which thread reads completions of a queue one by one, over several calls. All but {@link #isMine} is used with the queue's lock, which
 * is taken for each call and not between. A thread that has ended reads no more: the next one that looks ends it for him.
 *
 * <p>Of a queue that is for one thread at a time, the turn is whichever thread's calls next, and nobody waits for another.
 */
public final class ReadingTurn {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Lets others have the queue's lock for a while. */
    @FunctionalInterface
    public interface Gap {
        /**
         * Gives the lock away, waits a little, and takes it again. Where the thread is interrupted, it stays so, and waits all the same.
         *
         * @param round how often that was done before, by this wait
         */
        void pass(int round);
    }

    private final Gap gap;
    private final Runnable end;
    private final boolean oneThread;
    private Thread reader; // changed with the lock; that it is oneself is seen without
    private int holders; // who changes, or wants to change, the queue itself: nobody begins anew meanwhile

    /**
     * Nobody reads.
     *
     * @param gap how others get the lock meanwhile
     * @param end is done, with the lock, when reading ends
     * @param oneThread whether the program says that no two threads use the queue at a time
     */
    public ReadingTurn(Gap gap, Runnable end, boolean oneThread) {
        this.gap = gap;
        this.end = end;
        this.oneThread = oneThread;
    }

    /**
     * Whether the calling thread reads.
     *
     * @return false also where nobody does
     */
    public boolean isMine() {
        Thread r = reader;
        return r == Thread.currentThread() || oneThread && r != null;
    }

    /**
     * Whether nobody reads.
     *
     * @return true also where one did and has ended
     */
    public boolean isFree() {
        if (reader != null && !oneThread && !reader.isAlive()) {
            end();
        }
        return reader == null;
    }

    /**
     * Whether the calling thread may begin to read.
     *
     * @return false where another reads or holds the queue
     */
    public boolean mayStart() {
        return !isHeld() && isFree();
    }

    /**
     * Whether somebody changes, or wants to change, the queue itself.
     *
     * @return true also where that is the calling thread
     */
    public boolean isHeld() {
        return holders != 0;
    }

    /** The calling thread reads from now on. */
    public void start() {
        reader = Thread.currentThread();
    }

    /** Nobody reads from now on. */
    public void end() {
        end.run();
        stop();
    }

    /** As {@link #end}, for who has done by himself what is to be done then. */
    public void stop() {
        reader = null;
    }

    /**
     * Waits until nobody reads, for a second at most.
     *
     * @param alone whether nobody may hold the queue either
     * @return false where another thread still reads or holds the queue, or where it is the calling thread that reads: then
     *     it has not waited
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
     * Waits until nobody is in the midst of reading, and keeps others from beginning meanwhile; not for ever.
     *
     * @param verb what is to be done then
     * @throws VerbsException {@link Errno#EBUSY} where somebody goes on, or it is the calling thread
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
     * As {@link #requireUnread}, and keeps it so till {@link #release}.
     *
     * @param verb what is to be done then
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
