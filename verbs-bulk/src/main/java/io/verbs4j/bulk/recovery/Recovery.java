/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.recovery;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether, when and how long a connection is recovered. The side that has connected connects again; the other one
 * waits. Methods are for the thread that drives, but for {@link #claim} and {@link #reconnections}.
 */
public final class Recovery {
    /** Connections in a row that are lost before anything has completed by them, and soon: then it is given up. */
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
     * Of a connection that both sides want to recover.
     *
     * @param nanos how long
     * @param dials whether this side connects
     */
    public Recovery(long nanos, boolean dials) {
        this.nanos = nanos;
        this.dials = dials;
    }

    /** Whether this side connects again. */
    public boolean dials() {
        return dials;
    }

    /** Nanoseconds that a recovery may take. */
    public long limit() {
        return nanos;
    }

    /** The connection is lost. Returns whether it is worth recovering. */
    public boolean lost(long now) {
        since = now;
        if (recovered > 0 && now - recoveredAt > nanos) {
            barren = 0;
        }
        backoff.reset();
        return ++barren <= MAX_BARREN;
    }

    /** Something has completed: the connection is of use. */
    public void completed() {
        barren = 0;
    }

    /** Nanoseconds until the connection is given up; at most 0 when it is. */
    public long left(long now) {
        return nanos - (now - since);
    }

    /** The queue pair is closed: from now on, or again after an attempt has failed, the peer may connect. */
    public void suspended(Snapshot snapshot) {
        waiting.set(snapshot);
    }

    /** Takes what an attempt needs, so that there is one at a time; null where there is none, or it is too early. */
    public Snapshot claim() {
        return waiting.getAndSet(null);
    }

    /** Number of the connection that the next attempt makes: each has another one, also where it fails. */
    public int nextEpoch() {
        return ++lastEpoch;
    }

    /** Nanoseconds before the next attempt. */
    public long nextDelay() {
        return backoff.next();
    }

    /** The connection is there again. */
    public void recovered(long now) {
        recoveredAt = now;
        recovered++;
        reconnections = recovered;
    }

    /** How often it was recovered. */
    public int reconnections() {
        return reconnections;
    }
}
