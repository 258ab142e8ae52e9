/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

/** How the thread that drives an engine sleeps. The completion queues are armed before. */
interface Sleeper {
    /** Sleeps for a time, or until an event or {@link #wake()}; a wake-up that came before counts. */
    void sleep(long nanos);

    /** Ends the sleep, or the next one. Any thread may. */
    void wake();
}
