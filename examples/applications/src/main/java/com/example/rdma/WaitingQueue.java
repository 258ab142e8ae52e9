/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.rdma;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.WorkCompletion;
import java.util.concurrent.TimeUnit;

/** A completion queue to wait at, without spinning. */
public final class WaitingQueue implements AutoCloseable {
    private final CompletionChannel channel;
    private final CompletionQueue cq;

    /** Makes a queue of at least {@code entries}, and a channel for its events. */
    public WaitingQueue(Context context, int entries) {
        channel = context.createCompChannel();
        try {
            cq = context.createCq(entries, null, channel, 0);
        } catch (RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** The queue, for queue pairs. */
    public CompletionQueue cq() {
        return cq;
    }

    /**
     * Waits for completions.
     *
     * @param into where they go
     * @return how many; 0 where there were none in that time
     * @throws io.verbs4j.VerbsException EINTR where the thread is interrupted
     */
    public int await(WorkCompletion[] into, long timeout, TimeUnit unit) {
        long deadline = System.nanoTime() + unit.toNanos(timeout);
        while (true) {
            int count = poll(into);
            if (count > 0) {
                return count;
            }
            // What completes from here on makes an event; what has completed since the poll does not: poll once more.
            check("reqNotify", cq.reqNotify(false));
            count = poll(into);
            if (count > 0) {
                return count; // an event may come all the same: the next wait then finds nothing and waits on
            }
            long left = deadline - System.nanoTime();
            if (left <= 0 || channel.getEvent(left, TimeUnit.NANOSECONDS) == null) {
                return 0;
            }
        }
    }

    /** Takes what is there. */
    public int poll(WorkCompletion[] into) {
        int count = cq.poll(into.length, into);
        if (count < 0) {
            check("poll", -count);
        }
        return count;
    }

    /** Data verbs answer with an errno where control verbs throw. */
    private static void check(String verb, int errno) {
        if (errno != 0) {
            throw new IllegalStateException(verb + ": " + Errno.toString(errno));
        }
    }

    @Override
    public void close() {
        cq.close();
        channel.close();
    }
}
