/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.event;

/**
 * Events of one object that were fetched from the kernel and not given back. libibverbs' destroy waits for them without end,
 * so those that no program will give back any more are given back here.
 */
public final class EventCount {
    private int outstanding;
    private boolean ending;

    /** No events. */
    public EventCount() {}

    /** Counts an event in; false where the object is being destroyed: the event is then to be given back at once. */
    public synchronized boolean fetched() {
        if (ending) {
            return false;
        }
        outstanding++;
        return true;
    }

    /** Counts events out. */
    public synchronized void acked(int count) {
        outstanding -= count;
    }

    /** The object is about to be destroyed: from now on {@link #fetched} is false. How many are to be given back now. */
    public synchronized int end() {
        ending = true;
        int rest = outstanding;
        outstanding = 0;
        return rest;
    }

    /** The object was not destroyed after all. */
    public synchronized void resume() {
        ending = false;
    }
}
