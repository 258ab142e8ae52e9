/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.base;

import java.io.InterruptedIOException;

/**
 * What an interrupt of the thread does to a wait: it ends that of a verb, which answers EINTR, and is put off where half done is
 * worse. The thread stays interrupted in both cases.
 */
public enum Interrupts {
    /** Ends the wait. */
    END,

    /** Is told when the wait is over. */
    PUT_OFF;

    /** A wait that may consist of several pauses; closed at its end. */
    public final class Wait implements AutoCloseable {
        private boolean interrupted;

        /** Waits a while. */
        public void pause(long millis) throws InterruptedIOException {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                note();
            }
        }

        /** Looks for an interrupt: a selector does not wait, and a channel closes itself, as long as there is one. */
        public void check() throws InterruptedIOException {
            if (Thread.interrupted()) {
                note();
            }
        }

        private void note() throws InterruptedIOException {
            interrupted = true;
            if (Interrupts.this == END) {
                throw new InterruptedIOException("the thread was interrupted while it waited");
            }
        }

        @Override
        public void close() {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** {@return a wait that begins} */
    public Wait begin() {
        return new Wait();
    }
}
