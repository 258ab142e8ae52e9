/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.concurrent.atomic.AtomicLong;

/** A pair of numbers that queue pairs increment: one for successes, one for failures. Thread-safe. */
public final class Counter {
    private final boolean bytes;
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private volatile boolean closed;

    Counter(boolean bytes) {
        this.bytes = bytes;
    }

    /** Returns the number of failures or of successes; throws if the counter is closed. */
    AtomicLong number(String verb, boolean ofFailed) {
        if (closed) {
            throw new VerbsException(Errno.EINVAL, verb, "the completion counter is closed; use an open one");
        }
        return ofFailed ? failed : done;
    }

    void done(long length) {
        done.getAndAdd(bytes ? length : 1);
    }

    void failed() {
        failed.getAndIncrement();
    }

    /** Closes the counter, which no queue pair uses any more. */
    public void close() {
        closed = true;
    }
}
