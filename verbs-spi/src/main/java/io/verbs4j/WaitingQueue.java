/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A completion queue with its own channel, which waits for completions without spinning and misses none.
 *
 * <p>Read it in one of two ways. {@link #await} and {@link #poll} return completions. {@link #run} passes each
 * completion to a handler until the queue is closed, and {@link #handle} passes those that are in the queue now, in the
 * caller's thread: call it before you close a queue pair, because closing discards its unpolled completions. One
 * handler runs at a time, whichever thread calls it.
 *
 * <p>All methods may be called from any thread. Waiting allocates nothing except what the provider needs for it. Since
 * level 3.
 */
public final class WaitingQueue implements AutoCloseable {
    private static final int BATCH = 32;

    /** On providers that cannot wake it, a waiting thread checks this often whether the queue is closed. */
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
     * Creates a completion queue and a channel for its events.
     *
     * @param context an open device
     * @param entries minimum number of completions that the queue holds
     * @throws VerbsException as {@link Context#createCompChannel()} and
     *     {@link Context#createCq(int, Object, CompletionChannel, int)}; nothing remains open then
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
     * @param into receives the completions
     * @return the number of completions, 0 if the queue is empty
     * @throws VerbsException the errno that {@link CompletionQueue#poll(int, WorkCompletion[])} returns;
     *     {@link Errno#EBADF} after close
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
     * @param into receives the completions
     * @param timeout maximum time to wait; 0 only polls
     * @param unit the unit of {@code timeout}
     * @return the number of completions; 0 after the timeout
     * @throws VerbsException {@link Errno#EINTR} if the thread is interrupted (it stays interrupted);
     *     {@link Errno#EBADF} after close, also in a waiting thread; {@link Errno#EBUSY} if another thread reads the
     *     queue between {@link CompletionQueue#startPoll} and {@link CompletionQueue#endPoll} for too long
     */
    public int await(WorkCompletion[] into, long timeout, TimeUnit unit) {
        long start = System.nanoTime();
        long limit = unit.toNanos(timeout);
        while (true) {
            int count = poll(into);
            if (count > 0 || System.nanoTime() - start >= limit) {
                return count;
            }
            // Completions from here on cause an event; those since the last poll do not, so poll once more.
            arm();
            count = poll(into);
            if (count > 0) {
                return count; // there may still be an event: the next wait then finds nothing and waits again
            }
            awaitEvent(limit - (System.nanoTime() - start));
        }
    }

    /**
     * Passes the completions in the queue to a handler, in the caller's thread, until the queue is empty. Waits while a
     * handler of this queue runs in another thread: when this method returns, all completions that were in the queue
     * before have been handled. A handler may call it.
     *
     * @param handler takes each completion, whose object is valid until the handler returns. An exception that it
     *     throws is rethrown after the completions polled together with that one have been handled
     * @return the number of completions
     * @throws VerbsException as {@link #poll}
     */
    public int handle(Consumer<? super WorkCompletion> handler) {
        Objects.requireNonNull(handler, "handler");
        handling.lock();
        try {
            WorkCompletion[] completions =
                    handling.getHoldCount() > 1 ? batch() : batch; // the outer call still uses its own
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
            throw (RuntimeException) failure; // a Consumer throws no other type
        }
    }

    /**
     * Passes completions to a handler until {@link #close()}, in the caller's thread. If several threads call it, their
     * handlers take turns. Returns normally after close.
     *
     * @param handler takes each completion, as {@link #handle}
     * @throws VerbsException {@link Errno#EINTR} if the thread is interrupted (it stays interrupted); otherwise as
     *     {@link #await}
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

    /** Waits for an event, but only so long that a closed queue is noticed in time. */
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
     * @throws VerbsException {@link Errno#EBUSY} while a queue pair uses the completion queue: close that, then close
     *     again
     */
    @Override
    public void close() {
        closing = true;
        try {
            channel.wakeup();
        } catch (VerbsException e) {
            // the provider cannot wake threads, or the channel is closed: threads check by themselves
        }
        handling.lock();
        try {
            while (running > 0 && handling.getHoldCount() == 1) { // >1: a handler closes its own queue
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
