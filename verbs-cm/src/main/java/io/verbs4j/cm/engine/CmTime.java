/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import java.util.concurrent.TimeUnit;

/** Times and timeouts. Source: InfiniBand Architecture Specification volume 1, 12.7 and 12.9.8. */
final class CmTime {
    /** Response times in REQ and MRA, which ask for as much patience as Linux does: 4 s, and 65 s. */
    static final int RESPONSE_TIMEOUT = 20;

    static final int SERVICE_TIMEOUT = 24;

    static final int RETRIES = 15;

    /** Lifetime of a packet in the network: 0.27 s, as in newer kernels. */
    static final int PACKET_LIFE = 16;

    /** Messages are repeated sooner than a kernel does. A receiver that has them already recognizes the repetition. */
    static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(250);

    static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(4);

    /** Longest extra time that a peer is granted: 66 s, as much as Linux asks for. */
    static final long MOST_PATIENCE = nanos(SERVICE_TIMEOUT) + nanos(PACKET_LIFE);

    /** A peer may claim that its packets live for hours; nothing is kept for more than 16 s for that reason. */
    static final int LONGEST_TIMEWAIT = 22;

    private static final int MAX_TIMEOUT = 31;

    private CmTime() {}

    /** Converts a 5-bit timeout to nanoseconds as Linux does: 2 to the power of (t - 8) milliseconds. */
    static long nanos(int timeout) {
        return TimeUnit.MILLISECONDS.toNanos(1L << Math.max(timeout - 8, 0));
    }

    /** Returns how long packets of a queue pair may be in transit after its end. */
    static long timewait(int ackTimeout) {
        return nanos(ackTimeout == 0 ? LONGEST_TIMEWAIT : Math.min(ackTimeout, LONGEST_TIMEWAIT)); // 0 means no limit
    }

    /**
     * Returns the time that a queue pair waits for an acknowledgement: twice the packet's lifetime plus the device's
     * response time.
     */
    static int ackTimeout(int ackDelay, int packetLife) {
        int way = packetLife + 1;
        int sum = way >= ackDelay ? way + (ackDelay >= way - 1 ? 1 : 0) : ackDelay + (way >= ackDelay - 1 ? 1 : 0);
        return Math.min(MAX_TIMEOUT, sum);
    }
}
