/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/** Has queue pairs fail, as a device does that has lost its peer. */
public final class Breaker {
    private Breaker() {}

    /** Moves the queue pair of a connection to state ERR; nothing else is told. */
    public static void breakQueuePair(Link link) {
        link.posts().fail();
    }

    /** Whether the connection has a queue pair and is up. */
    public static boolean isUp(Link link) {
        return link.state().isUp();
    }
}
