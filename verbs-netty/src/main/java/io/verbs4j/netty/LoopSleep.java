/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.CompletionChannel;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The place where an event loop sleeps. Completions wake it, and so can any thread. */
final class LoopSleep {
    private final CompletionChannel channel;
    private final AtomicBoolean sleeping = new AtomicBoolean();

    LoopSleep(CompletionChannel channel) {
        this.channel = channel;
    }

    CompletionChannel channel() {
        return channel;
    }

    /** From now on {@link #wakeup} ends the next {@link #await}. The caller must then check for earlier events. */
    void begin() {
        sleeping.set(true);
    }

    void end() {
        sleeping.set(false);
    }

    /** Waits for a completion or {@link #wakeup}; forever if the time is {@link Long#MAX_VALUE}. */
    void await(long nanos) {
        try {
            if (nanos == Long.MAX_VALUE) {
                channel.getEvent();
            } else {
                channel.getEvent(nanos, TimeUnit.NANOSECONDS);
            }
        } catch (VerbsException e) {
            if (e.errno() != Errno.EINTR) {
                throw e;
            }
            Thread.interrupted(); // an interrupted thread could not sleep again
        }
    }

    /** Wakes the loop if it sleeps; called by any thread. */
    void wakeup() {
        if (sleeping.compareAndSet(true, false)) {
            channel.wakeup();
        }
    }

    void close() {
        channel.close();
    }
}
