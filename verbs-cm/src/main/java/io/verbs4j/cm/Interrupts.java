/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/** How waits answer an interrupt of their thread: EINTR, and the thread stays interrupted, as waits for completions do. */
final class Interrupts {
    private Interrupts() {}

    /** Before a wait; one of 0 only looks, and is not ended. */
    static void check(String verb, long nanos) {
        if (nanos > 0 && Thread.currentThread().isInterrupted()) {
            throw failed(verb, null);
        }
    }

    /** A wait was interrupted. */
    static VerbsException failed(String verb, InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new VerbsException(
                Errno.EINTR, verb, "the thread was interrupted; clear its interrupt status to wait again", cause);
    }
}
