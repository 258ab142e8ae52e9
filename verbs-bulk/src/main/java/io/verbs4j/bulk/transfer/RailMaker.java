/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.control.RailAddress;

/**
 * Makes and closes the queue pairs of rails. Methods are called by the thread that drives, and return at once but for
 * {@link #close}; {@link RailSetup} hears later.
 */
public interface RailMaker {
    /** Makes the queue pairs that this side has ports for. */
    void offer(Link link);

    /** Makes the queue pair of one rail, after some time: there was one before. */
    void offerAgain(Link link, RailId rail, long nanos);

    /** Makes a queue pair that is connected to one that the peer has offered. */
    void answer(Link link, RailId rail, RailAddress peer);

    /** Connects the queue pair that this side has offered. */
    void connect(Link link, RailId rail, RailAddress peer);

    /** Closes a queue pair: nothing touches memory by it any more, and what has completed by it was looked at. */
    void close(Link link, RailId rail);
}
