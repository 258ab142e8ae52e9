/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many requests of a send queue have a completion to come, and how many have completed with success. It counts only
 * where somebody wants to know. Requests are told by who posts, completions by who reads the completion queue.
 */
final class SendTally {
    private final AtomicLong done = new AtomicLong();
    private final boolean signalsAll;
    private volatile boolean used;
    private long signaled;
    private boolean endsUnsignaled;

    SendTally(boolean signalsAll) {
        this.signalsAll = signalsAll;
    }

    /** To be told before anything is posted. */
    void use() {
        used = true;
    }

    /** Requests were accepted, with the lock of the send queue. */
    void accepted(SendWorkRequest first, int count) {
        if (!used) {
            return;
        }
        SendWorkRequest wr = first;
        for (int i = 0; i < count; i++) {
            accepted(wr.sendFlags());
            wr = wr.next();
        }
    }

    /** One was accepted. */
    void accepted(int sendFlags) {
        endsUnsignaled = !signalsAll && (sendFlags & SendFlags.SIGNALED) == 0;
        signaled += endsUnsignaled ? 0 : 1;
    }

    /** A request has completed with success. One thread at a time reads a completion queue. */
    void completed() {
        done.lazySet(done.getPlain() + 1);
    }

    /** {@return how many have completed when the last that was posted has; -1 where that one has no completion} */
    long end() {
        return endsUnsignaled ? -1 : signaled;
    }

    /** Whether so many have completed, as {@link #end} told. */
    boolean isReached(long end) {
        return used && end >= 0 && done.get() >= end;
    }

    void reset() {
        signaled = 0;
        endsUnsignaled = false;
        done.set(0);
    }
}
