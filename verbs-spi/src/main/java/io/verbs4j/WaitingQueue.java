/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A completion queue with a channel of its own: waits for completions without spinning, and misses none.
 *
 * <p>Read it in one of two ways. {@link #await} and {@link #poll} return completions. {@link #run} hands each
 * completion to a handler until the queue is closed, and {@link #handle} hands over what is in the queue now, in the
 * caller's thread: call it before you close a queue pair, as completions that nobody has polled go with their queue
 * pair. One handler runs at a time, whichever thread calls it.
 *
 * <p>All methods may be called by any thread. Waiting allocates nothing but what the provider needs for it. Since level
 * 3.
 */
public final class WaitingQueue implements AutoCloseable {
    private static final int BATCH = 32;

    /** After so long a waiting thread looks whether the queue is closed, on providers that can't wake it. */
    private static final long LOOK_MILLIS = 500;

    private final CompletionChannel channel;
    private final CompletionQueue cq;

    /** Held while a handler runs. */
    private final ReentrantLock handling = new ReentrantLock();

    private final Condition left = handling.newCondition();
    private final WorkCompletion[] batch = batch();

    /** Threads in {@link #run}. Guarded by the lock. */
    private int running;

    private volatile boolean closing;

    /**
     * Makes a completion queue and a channel for its events.
     *
     * @param context an open device
     * @param entries least number of completions that the queue holds
     * @throws VerbsException as {@link Context#createCompChannel()} and {@link Context#createCq(int, Object,
     *     CompletionChannel, int)}; nothing is left then
     */
    public WaitingQueue(Context context, int entries) {
        channel = context.createCompChannel();
        CompletionQueue made = null;
        try {
            made = context.createCq(entries, null, channel, 0);
        } finally {
            if (made == null) {
                channel.close();
            }
        }
        cq = made;
    }

    /** {@return the completion queue, for queue pairs} */
    public CompletionQueue cq() {
        return cq;
    }

    /**
     * Polls the queue.
     *
     * @param into where completions go
     * @return how many there were, 0 if the queue is empty
     * @throws VerbsException what {@link CompletionQueue#poll(int, WorkCompletion[])} returns; {@link Errno#EBADF}
     *     after close
     */
    public int poll(WorkCompletion[] into) {
        int count = cq.poll(into.length, into);
        if (count < 0) {
            throw failed("poll_cq", -count);
        }
        return count;
    }

    /**
     * Waits for completions.
     *
     * @param into where completions go
     * @param timeout longest time to wait; 0 only polls
     * @param unit its unit
     * @return how many there were; 0 after the time
     * @throws VerbsException {@link Errno#EINTR} if the thread is interrupted (it stays interrupted); {@link
     *     Errno#EBADF} after close, also of a thread that waits; {@link Errno#EBUSY} if another thread reads the queue
     *     between {@link CompletionQueue#startPoll} and {@link CompletionQueue#endPoll} for too long
     */
    public int await(WorkCompletion[] into, long timeout, TimeUnit unit) {
        long start = System.nanoTime();
        long limit = unit.toNanos(timeout);
        while (true) {
            int count = poll(into);
            if (count > 0 || System.nanoTime() - start >= limit) {
                return count;
            }
            // What completes from here on makes an event; what has completed since the poll does not: poll once more.
            arm();
            count = poll(into);
            if (count > 0) {
                return count; // there may be an event all the same: the next wait finds nothing and waits on
            }
            awaitEvent(limit - (System.nanoTime() - start));
        }
    }

    /**
     * Hands the completions that are in the queue to a handler, in the caller's thread, until the queue is empty. Waits
     * while a handler of this queue runs in another thread: when this method returns, all completions that were in the
     * queue before have been handled. May be called by a handler.
     *
     * @param handler given each completion, whose object is valid until the handler returns. What it throws is thrown
     *     here after the completions that were polled with that one have been handled
     * @return how many completions there were
     * @throws VerbsException as {@link #poll}
     */
    public int handle(Consumer<? super WorkCompletion> handler) {
        Objects.requireNonNull(handler, "handler");
        handling.lock();
        try {
            WorkCompletion[] completions =
                    handling.getHoldCount() > 1 ? batch() : batch; // the outer call goes on with its own
            int all = 0;
            int count = poll(completions);
            while (count > 0) {
                handle(completions, count, handler);
                all += count;
                count = poll(completions);
            }
            return all;
        } finally {
            handling.unlock();
        }
    }

    private static void handle(WorkCompletion[] completions, int count, Consumer<? super WorkCompletion> handler) {
        Throwable failure = null;
        for (int i = 0; i < count; i++) {
            try {
                handler.accept(completions[i]);
            } catch (Throwable e) {
                if (failure == null) {
                    failure = e;
                } else if (failure != e) {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure instanceof Error e) {
            throw e;
        } else if (failure != null) {
            throw (RuntimeException) failure; // a Consumer throws no other
        }
    }

    /**
     * Hands completions to a handler until {@link #close()}, in the caller's thread. Several threads may do so: their
     * handlers take turns.
     *
     * @param handler given each completion, as {@link #handle}
     * @throws VerbsException {@link Errno#EINTR} if the thread is interrupted (it stays interrupted); otherwise as
     *     {@link #await}. Returns without an exception after close
     */
    public void run(Consumer<? super WorkCompletion> handler) {
        change(1);
        try {
            while (!closing) {
                if (handle(handler) == 0) {
                    arm();
                    if (handle(handler) == 0) {
                        awaitEvent(Long.MAX_VALUE);
                    }
                }
            }
        } catch (VerbsException e) {
            if (e.errno() != Errno.EBADF || !closing) {
                throw e;
            }
        } finally {
            change(-1);
        }
    }

    private void change(int threads) {
        handling.lock();
        try {
            running += threads;
            left.signalAll();
        } finally {
            handling.unlock();
        }
    }

    private void arm() {
        int errno = cq.reqNotify(false);
        if (errno != 0) {
            throw failed("req_notify_cq", errno);
        }
    }

    /** Waits for an event, not longer than a program may wait for the end of this queue. */
    private void awaitEvent(long nanos) {
        if (!closing && nanos > 0) {
            channel.getEvent(Math.min(nanos, TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS)), TimeUnit.NANOSECONDS);
        }
    }

    private VerbsException failed(String verb, int errno) {
        return closing
                ? new VerbsException(Errno.EBADF, verb, "the waiting queue is closed")
                : new VerbsException(errno, verb, "can't read the " + cq);
    }

    private static WorkCompletion[] batch() {
        return Stream.generate(WorkCompletion::new).limit(BATCH).toArray(WorkCompletion[]::new);
    }

    /**
     * Ends {@link #run} in all threads, and closes the completion queue and its channel. Waits for a handler that runs
     * in another thread. Closing again does nothing.
     *
     * @throws VerbsException {@link Errno#EBUSY} while a queue pair uses the completion queue: close it and close again
     */
    @Override
    public void close() {
        closing = true;
        try {
            channel.wakeup();
        } catch (VerbsException e) {
            // a provider that can't wake threads, or a closed channel: threads look by themselves
        }
        handling.lock();
        try {
            while (running > 0 && handling.getHoldCount() == 1) { // else a handler closes its own queue
                left.awaitUninterruptibly();
            }
        } finally {
            handling.unlock();
        }
        cq.close();
        channel.close();
    }

    @Override
    public String toString() {
        return "waiting " + cq;
    }
}
