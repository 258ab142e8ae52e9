/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

/** How an engine's driving thread sleeps. The completion queues must be armed before. */
interface Sleeper {
    /** Sleeps for a time, or until an event or {@link #wake()}; an earlier wake-up counts. */
    void sleep(long nanos);

    /** Ends the current sleep, or the next one. Any thread may call it. */
    void wake();
}
