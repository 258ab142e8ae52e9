/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import java.util.concurrent.TimeUnit;

/** Decides when to repeat packets, when to probe the peer, and when to give it up. */
final class Liveness {
    /** Silence after which the peer is probed. */
    static final long IDLE = TimeUnit.SECONDS.toNanos(1);

    /**
     * A peer that is silent, or acknowledges nothing, for this time is gone. The time is long because a program that
     * drives its endpoint itself may be doing something else. The TCP connection reports processes that have ended.
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

    /** Records a packet from the peer. */
    void heard(long now) {
        heard = now;
    }

    /** Records whether packets are in flight. */
    void waiting(boolean value, long now) {
        if (value && !waiting) {
            acknowledged(now);
        }
        waiting = value;
    }

    /** Records an acknowledgement. */
    void acknowledged(long now) {
        progress = now;
        repeated = now;
        repeat = FIRST_REPEAT;
    }

    boolean isDead(long now) {
        return now - heard >= DEAD || waiting && now - progress >= DEAD;
    }

    /** Whether to repeat the oldest packet; counts as repeated if true. */
    boolean mustRepeat(long now) {
        if (!waiting || now - repeated < repeat) {
            return false;
        }
        repeated = now;
        repeat = Math.min(2 * repeat, LONGEST_REPEAT);
        return true;
    }

    /** Whether to probe the peer; counts as probed if true. */
    boolean mustAsk(long now) {
        if (now - heard < IDLE || now - asked < IDLE) {
            return false;
        }
        asked = now;
        return true;
    }

    /** Returns the nanoseconds until a packet may have to be repeated or the peer probed. */
    long untilNext(long now, boolean repeats) {
        long ask = IDLE - Math.min(now - heard, now - asked);
        return Math.max(0, waiting && repeats ? Math.min(ask, repeat - (now - repeated)) : ask);
    }
}
