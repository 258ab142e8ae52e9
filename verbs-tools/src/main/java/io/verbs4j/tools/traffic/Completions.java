/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.tools.base.ToolException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Polls a completion queue. Waiting either polls or sleeps until an event arrives. */
public final class Completions {
    private static final int BATCH = 32;

    /** Number of polls without a pause before other threads may run. */
    private static final int SPINS = 64;

    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final CompletionQueue cq;
    private final WorkCompletion[] batch = new WorkCompletion[BATCH];

    /**
     * Creates a poller of a queue.
     *
     * @param cq the queue; if it has a channel, waiting sleeps until an event arrives
     */
    public Completions(CompletionQueue cq) {
        this.cq = cq;
        for (int i = 0; i < BATCH; i++) {
            batch[i] = new WorkCompletion();
        }
    }

    /**
     * Polls once.
     *
     * @return the number of completions, to be read with {@link #get}; 0 if there are none
     * @throws ToolException if one of them has failed
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

    /** {@return one of the completions that the last {@link #poll} or {@link #await} removed} */
    public WorkCompletion get(int i) {
        return batch[i];
    }

    /**
     * Waits for completions.
     *
     * @param nanos longest time to wait
     * @param stop checked every now and then; true ends the wait
     * @return the number of completions; 0 if none came in time or the wait was stopped
     */
    @SuppressWarnings("ThreadPriorityCheck") // more threads may poll than there are processors
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

    /** Requests an event, polls once more, because completions from before the request cause no event, and sleeps. */
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
