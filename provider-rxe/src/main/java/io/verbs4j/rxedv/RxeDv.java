/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rxedv;

import java.util.Map;

/**
 * Diagnostics of an open embedded device. All methods may be called from any thread, even after the context is closed.
 */
public interface RxeDv {
    /**
     * Explains why messages to other processes of this machine are sent as packets instead of with one copy.
     *
     * @return the reason; empty if messages are sent with one copy to each process that has one copy enabled as well
     */
    String oneCopyProblem();

    /**
     * Explains which devices GIDs in 127.0.0.0/8 reach on a machine that has no address for each process.
     *
     * @return a sentence; empty if these GIDs are addresses, as on Linux
     */
    default String reach() {
        return "";
    }

    /**
     * Returns all counters, counted since the device was first opened. {@code io.verbs4j.rxe.counters} writes the same
     * values to a file.
     *
     * @return values by name, in a fixed order
     */
    Map<String, Long> counters();
}
