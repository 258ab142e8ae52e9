/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rxedv;

import java.util.Map;

/** What an open embedded device tells of itself. Any thread may ask, also after the context is closed. */
public interface RxeDv {
    /**
     * Why messages to other processes of this machine go by packets and not by one copy.
     *
     * @return the reason; empty where they go by one copy to each process that has it, too
     */
    String oneCopyProblem();

    /**
     * Whom GIDs in 127.0.0.0/8 reach on a machine that has no address for each process.
     *
     * @return a sentence; empty where these GIDs are addresses, as on Linux
     */
    default String reach() {
        return "";
    }

    /**
     * All that was counted since the device was first opened: what {@code io.verbs4j.rxe.counters} writes to a file.
     *
     * @return values by name, in a fixed order
     */
    Map<String, Long> counters();
}
