/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.base;

import java.io.InterruptedIOException;

/**
 * How a wait reacts when its thread is interrupted. A verb's wait ends and the verb fails with EINTR; where stopping
 * halfway would do harm, the interrupt is deferred. The thread stays interrupted in both cases.
 */
public enum Interrupts {
    /** Ends the wait. */
    END,

    /** Defers the interrupt until the wait is over. */
    PUT_OFF;

    /** A wait, possibly of several pauses. Closing it restores the thread's interrupt status. */
    public final class Wait implements AutoCloseable {
        private boolean interrupted;

        /** Pauses the thread; an interrupt cuts the pause short. */
        public void pause(long millis) throws InterruptedIOException {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                note();
            }
        }

        /**
         * Clears and records a pending interrupt. While one is pending, a selector does not wait and a channel closes
         * itself.
         */
        public void check() throws InterruptedIOException {
            if (Thread.interrupted()) {
                note();
            }
        }

        private void note() throws InterruptedIOException {
            interrupted = true;
            if (Interrupts.this == END) {
                throw new InterruptedIOException("the thread was interrupted while waiting");
            }
        }

        @Override
        public void close() {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** {@return a new wait} */
    public Wait begin() {
        return new Wait();
    }
}
