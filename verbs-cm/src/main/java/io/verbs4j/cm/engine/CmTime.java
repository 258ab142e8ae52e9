/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import java.util.concurrent.TimeUnit;

/** How long things take. Source: InfiniBand Architecture Specification volume 1, 12.7 and 12.9.8. */
final class CmTime {
    /** What REQ and MRA say of response times, to be patient with this side as Linux is: 4 s, and 65 s. */
    static final int RESPONSE_TIMEOUT = 20;

    static final int SERVICE_TIMEOUT = 24;

    static final int RETRIES = 15;

    /** Life of a packet that the network may hold back: 0.27 s, as newer kernels have it. */
    static final int PACKET_LIFE = 16;

    /** Own messages are repeated sooner than a kernel does: who has them already takes a repetition for what it is. */
    static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(250);

    static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(4);

    /** Longest time that a peer that asks for some is given: 66 s, as Linux asks. */
    static final long MOST_PATIENCE = nanos(SERVICE_TIMEOUT) + nanos(PACKET_LIFE);

    /** A peer may say that its packets live for hours; nothing is kept for longer than 16 s for that. */
    static final int LONGEST_TIMEWAIT = 22;

    private static final int MAX_TIMEOUT = 31;

    private CmTime() {}

    /** A timeout of 5 bits in nanoseconds, as Linux reckons it: 2 to the power of (t - 8) milliseconds. */
    static long nanos(int timeout) {
        return TimeUnit.MILLISECONDS.toNanos(1L << Math.max(timeout - 8, 0));
    }

    /** How long packets of a queue pair may be under way after its end. */
    static long timewait(int ackTimeout) {
        return nanos(ackTimeout == 0 ? LONGEST_TIMEWAIT : Math.min(ackTimeout, LONGEST_TIMEWAIT)); // 0 is without end
    }

    /** The time that a queue pair waits for an acknowledgement: twice the way, and what the device takes to answer. */
    static int ackTimeout(int ackDelay, int packetLife) {
        int way = packetLife + 1;
        int sum = way >= ackDelay ? way + (ackDelay >= way - 1 ? 1 : 0) : ackDelay + (way >= ackDelay - 1 ? 1 : 0);
        return Math.min(MAX_TIMEOUT, sum);
    }
}
