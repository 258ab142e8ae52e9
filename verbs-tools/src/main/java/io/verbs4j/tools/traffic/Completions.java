/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.tools.base.ToolException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Takes completions off a queue, and waits for them either by polling or by sleeping until there is an event. */
public final class Completions {
    private static final int BATCH = 32;

    /** How often to look without a pause before letting other threads run. */
    private static final int SPINS = 64;

    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final CompletionQueue cq;
    private final WorkCompletion[] batch = new WorkCompletion[BATCH];

    /**
     * Takes from a queue.
     *
     * @param cq the queue; with a channel, waiting sleeps until there is an event
     */
    public Completions(CompletionQueue cq) {
        this.cq = cq;
        for (int i = 0; i < BATCH; i++) {
            batch[i] = new WorkCompletion();
        }
    }

    /**
     * Takes the completions that are there.
     *
     * @return how many there are, to be looked at with {@link #get}; 0 where there are none
     * @throws ToolException where one of them has failed
     */
    public int poll() {
        int n = cq.wcFlags() == 0 ? cq.poll(BATCH, batch) : cq.poll(BATCH, batch, WorkCompletion.SIZE);
        if (n < 0) {
            throw ToolException.failed("polling the completion queue failed: " + Errno.toString(-n));
        }
        for (int i = 0; i < n; i++) {
            if (batch[i].status() != WcStatus.SUCCESS) {
                throw Failures.of(batch[i]);
            }
        }
        return n;
    }

    /** One of the completions that the last {@link #poll} or {@link #await} took. */
    public WorkCompletion get(int i) {
        return batch[i];
    }

    /**
     * Waits for completions.
     *
     * @param nanos how long at most
     * @param stop looked at every now and then: true ends the waiting
     * @return how many there are; 0 where none came in time, or waiting was stopped
     */
    @SuppressWarnings("ThreadPriorityCheck") // there may be fewer processors than threads that poll
    public int await(long nanos, BooleanSupplier stop) {
        long end = System.nanoTime() + nanos;
        for (int spins = 0; ; spins++) {
            int n = poll();
            if (n > 0) {
                return n;
            }
            if (cq.channel() != null) {
                n = sleep(Math.min(SLICE_NANOS, end - System.nanoTime()));
                if (n > 0) {
                    return n;
                }
            } else if (spins < SPINS) {
                Thread.onSpinWait();
                continue;
            } else {
                Thread.yield();
            }
            if (stop.getAsBoolean() || System.nanoTime() - end >= 0) {
                return 0;
            }
        }
    }

    /** Asks for an event, looks once more, since what came before asking makes none, and sleeps. */
    private int sleep(long nanos) {
        int errno = cq.reqNotify(false);
        if (errno != 0) {
            throw Failures.ofPost("request for an event", errno, null);
        }
        int n = poll();
        if (n > 0) {
            return n;
        }
        CompletionQueue ready = cq.channel().getEvent(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        if (ready != null) {
            ready.ackEvents(1);
        }
        return poll();
    }
}
