/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.recovery;

import io.verbs4j.RecvWorkRequest;
import io.verbs4j.bulk.strategy.Posts;

/** One attempt to make a lost connection again, with a queue pair of its own. */
public final class Attempt {
    private final int epoch;
    private final Snapshot snapshot;
    private RecvWorkRequest[] receives;
    private Posts posts;

    /** Of a connection that is lost. */
    public Attempt(int epoch, Snapshot snapshot) {
        this.epoch = epoch;
        this.snapshot = snapshot;
    }

    /** Number of the connection that it makes. */
    public int epoch() {
        return epoch;
    }

    /** What this side knew before. */
    public Snapshot snapshot() {
        return snapshot;
    }

    /** There is a queue pair, with the receives of free slots. Comes before anybody else gets the attempt. */
    public void prepared(RecvWorkRequest[] requests, Posts to) {
        receives = requests;
        posts = to;
    }

    /** A receive for each slot. */
    public RecvWorkRequest[] receives() {
        return receives;
    }

    /** Posts to its queue pair. */
    public Posts posts() {
        return posts;
    }
}
