/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/** Converts interrupts of waiting threads to EINTR. The thread stays interrupted, as in waits for completions. */
final class Interrupts {
    private Interrupts() {}

    /** Call before a wait. A wait of 0 only checks and ignores interrupts. */
    static void check(String verb, long nanos) {
        if (nanos > 0 && Thread.currentThread().isInterrupted()) {
            throw failed(verb, null);
        }
    }

    /** Returns the exception for an interrupted wait, and sets the thread's interrupt status again. */
    static VerbsException failed(String verb, InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new VerbsException(
                Errno.EINTR, verb, "the thread was interrupted; clear its interrupt status to wait again", cause);
    }
}
