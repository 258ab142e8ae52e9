/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.recovery;

import io.verbs4j.RecvWorkRequest;
import io.verbs4j.bulk.strategy.Posts;

/** One attempt to restore a lost connection, with its own queue pair. */
public final class Attempt {
    private final int epoch;
    private final Snapshot snapshot;
    private RecvWorkRequest[] receives;
    private Posts posts;

    /** Creates an attempt for a lost connection. */
    public Attempt(int epoch, Snapshot snapshot) {
        this.epoch = epoch;
        this.snapshot = snapshot;
    }

    /** The number of the connection that it makes. */
    public int epoch() {
        return epoch;
    }

    /** The state of this side before the attempt. */
    public Snapshot snapshot() {
        return snapshot;
    }

    /** Sets the queue pair's posts and the receives of free slots. Called before any other thread gets the attempt. */
    public void prepared(RecvWorkRequest[] requests, Posts to) {
        receives = requests;
        posts = to;
    }

    /** One receive for each slot. */
    public RecvWorkRequest[] receives() {
        return receives;
    }

    /** Posts to its queue pair. */
    public Posts posts() {
        return posts;
    }
}
