/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.recovery;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Decides whether, when and for how long to recover a connection. The side that had connected reconnects; the other one
 * waits. Methods are for the driving thread, except {@link #claim} and {@link #reconnections}.
 */
public final class Recovery {
    /** Maximum number of connections in a row that are lost soon, before any completion; more are not recovered. */
    private static final int MAX_BARREN = 8;

    private final long nanos;
    private final boolean dials;
    private final Backoff backoff = new Backoff();
    private final AtomicReference<Snapshot> waiting = new AtomicReference<>();
    private long since;
    private long recoveredAt;
    private int barren;
    private int lastEpoch = 1;
    private int recovered;
    private volatile int reconnections;

    /**
     * For a connection that both sides are willing to recover.
     *
     * @param nanos time limit
     * @param dials whether this side reconnects
     */
    public Recovery(long nanos, boolean dials) {
        this.nanos = nanos;
        this.dials = dials;
    }

    /** Whether this side reconnects. */
    public boolean dials() {
        return dials;
    }

    /** The time limit of a recovery in nanoseconds. */
    public long limit() {
        return nanos;
    }

    /** Records the loss of the connection. Returns whether to recover it. */
    public boolean lost(long now) {
        since = now;
        if (recovered > 0 && now - recoveredAt > nanos) {
            barren = 0;
        }
        backoff.reset();
        return ++barren <= MAX_BARREN;
    }

    /** Records a completion: the connection works. */
    public void completed() {
        barren = 0;
    }

    /** Returns the nanoseconds until the connection is given up; 0 or less once it is. */
    public long left(long now) {
        return nanos - (now - since);
    }

    /** Lets the peer connect after the queue pair is closed, or again after a failed attempt. */
    public void suspended(Snapshot snapshot) {
        waiting.set(snapshot);
    }

    /** Takes the snapshot for an attempt, so that only one runs at a time; null if one runs or it is too early. */
    public Snapshot claim() {
        return waiting.getAndSet(null);
    }

    /** Returns the number of the next attempt's connection. Each attempt has its own number, even if it fails. */
    public int nextEpoch() {
        return ++lastEpoch;
    }

    /** Returns the nanoseconds before the next attempt. */
    public long nextDelay() {
        return backoff.next();
    }

    /** Records that the connection is restored. */
    public void recovered(long now) {
        recoveredAt = now;
        recovered++;
        reconnections = recovered;
    }

    /** The number of times it was recovered. */
    public int reconnections() {
        return reconnections;
    }
}
