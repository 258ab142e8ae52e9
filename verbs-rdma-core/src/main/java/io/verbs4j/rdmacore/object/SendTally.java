/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the requests of a send queue that will have a completion, and those that have completed successfully. The
 * counts are valid only after {@link #use}. The posting thread reports requests; the thread that reads the completion
 * queue reports completions.
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

    /** Starts counting; call it before anything is posted. */
    void use() {
        used = true;
    }

    /** Counts accepted requests, with the lock of the send queue held. */
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

    /** Counts one accepted request. */
    void accepted(int sendFlags) {
        endsUnsignaled = !signalsAll && (sendFlags & SendFlags.SIGNALED) == 0;
        signaled += endsUnsignaled ? 0 : 1;
    }

    /** Counts a successful completion. One thread at a time reads a completion queue. */
    void completed() {
        done.lazySet(done.getPlain() + 1);
    }

    /**
     * {@return the count of completions once the last posted request has completed; -1 if that one has no completion}
     */
    long end() {
        return endsUnsignaled ? -1 : signaled;
    }

    /** {@return whether a count from {@link #end} is reached} */
    boolean isReached(long end) {
        return used && end >= 0 && done.get() >= end;
    }

    void reset() {
        signaled = 0;
        endsUnsignaled = false;
        done.set(0);
    }
}
