/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.control.RailAddress;

/**
 * Creates and closes the queue pairs of rails. Methods are called by the driving thread. All except {@link #close}
 * return immediately and report to {@link RailSetup} later.
 */
public interface RailMaker {
    /** Creates the queue pairs that this side has ports for. */
    void offer(Link link);

    /** Creates another queue pair for a rail, after a delay. */
    void offerAgain(Link link, RailId rail, long nanos);

    /** Creates a queue pair, connected to the one that the peer has offered. */
    void answer(Link link, RailId rail, RailAddress peer);

    /** Connects the queue pair that this side has offered. */
    void connect(Link link, RailId rail, RailAddress peer);

    /** Closes a queue pair, which no longer accesses memory. Its completions are handled on return. */
    void close(Link link, RailId rail);
}
