/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import java.util.concurrent.TimeUnit;

/** When packets are sent again, when the peer is asked whether it is there, and when it is given up. */
final class Liveness {
    /** A peer that says nothing for this time is asked. */
    static final long IDLE = TimeUnit.SECONDS.toNanos(1);

    /**
     * A peer that says nothing, or acknowledges nothing, for this time is gone. It is long, as a program that drives
     * its endpoint by itself may do something else meanwhile. The TCP connection shows that a process has ended.
     */
    static final long DEAD = TimeUnit.MINUTES.toNanos(2);

    private static final long FIRST_REPEAT = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_REPEAT = TimeUnit.SECONDS.toNanos(1);

    private long heard;
    private long asked;
    private long progress;
    private long repeat = FIRST_REPEAT;
    private long repeated;
    private boolean waiting;

    void start(long now) {
        heard = now;
        asked = now;
    }

    /** A packet of the peer's has come. */
    void heard(long now) {
        heard = now;
    }

    /** Packets are under way, or none are. */
    void waiting(boolean value, long now) {
        if (value && !waiting) {
            acknowledged(now);
        }
        waiting = value;
    }

    /** Packets were acknowledged. */
    void acknowledged(long now) {
        progress = now;
        repeated = now;
        repeat = FIRST_REPEAT;
    }

    boolean isDead(long now) {
        return now - heard >= DEAD || waiting && now - progress >= DEAD;
    }

    /** Whether the oldest packet is to be sent again; it counts as done. */
    boolean mustRepeat(long now) {
        if (!waiting || now - repeated < repeat) {
            return false;
        }
        repeated = now;
        repeat = Math.min(2 * repeat, LONGEST_REPEAT);
        return true;
    }

    /** Whether the peer is to be asked; it counts as done. */
    boolean mustAsk(long now) {
        if (now - heard < IDLE || now - asked < IDLE) {
            return false;
        }
        asked = now;
        return true;
    }

    /** Nanoseconds until one of these may be so. */
    long untilNext(long now, boolean repeats) {
        long ask = IDLE - Math.min(now - heard, now - asked);
        return Math.max(0, waiting && repeats ? Math.min(ask, repeat - (now - repeated)) : ask);
    }
}
