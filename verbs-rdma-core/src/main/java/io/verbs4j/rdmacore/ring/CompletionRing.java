/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.ring;

import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.rdmacore.object.ReadingTurn;

/**
 * A completion queue that Java reads: its lock, and who reads it one by one. What a completion is, and how many are taken at once, is the
 * vendor's: a poll that all had in common would be compiled for all of them.
 */
public abstract class CompletionRing {
    private final RingLock lock;
    private final PatientLock patient;
    private final ReadingTurn turn;
    private boolean closed;
    private boolean ready = true; // neither closed nor read one by one: a poll looks at this alone

    /** Open, and nobody reads it. */
    protected CompletionRing(RingLock lock) {
        this.lock = lock;
        patient = new PatientLock(lock);
        turn = new ReadingTurn(patient::pass, this::ended, lock.isForOneThread());
    }

    /** Guards all that follows, unless it says otherwise. */
    public final RingLock lock() {
        return lock;
    }

    /** Whose turn it is to read. */
    protected final ReadingTurn turn() {
        return turn;
    }

    /** Whether it can be polled: it is open, and nobody reads it, whom {@link #awaitTurn} would wait for. */
    protected final boolean isReady() {
        return ready;
    }

    /** Whether the calling thread may begin to read completions one by one. */
    final boolean mayStartReading() {
        return ready && !turn.isHeld() || !closed && turn.mayStart();
    }

    /** The calling thread reads completions one by one from now on. */
    final void startReading() {
        turn.start();
        ready = false;
    }

    /** Nobody reads completions one by one from now on. */
    final void endReading() {
        ended();
        turn.stop();
    }

    private void ended() {
        giveBack();
        ready = !closed;
    }

    /** Whether it is closed. */
    protected final boolean isClosed() {
        return closed;
    }

    /** Takes the next completion, whose place the device gets back by {@link #giveBack}; where it is, or 0. */
    protected abstract long next(WorkCompletion to);

    /** Gives the places that were read back to the device. */
    protected abstract void giveBack();

    /**
     * Waits, without the lock, until nobody reads completions one by one, for a second at most.
     *
     * @return false where another thread still does, and where the calling thread does
     */
    protected final boolean awaitTurn() {
        patient.lock();
        try {
            return turn.await(true);
        } finally {
            patient.unlock();
        }
    }

    /**
     * Does something with the lock, which it takes, while nobody reads completions one by one.
     *
     * @param verb what that is
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EBUSY} where somebody does and goes on, or it is the calling thread
     */
    protected final void whileUnread(String verb, Runnable body) {
        patient.lock();
        try {
            turn.requireUnread(verb);
            body.run();
        } finally {
            patient.unlock();
        }
    }

    /** Ends the queue while {@code destroy} frees it; it goes on where that throws. */
    public final void close(Runnable destroy) {
        whileUnread("destroy_cq", () -> {
            destroy.run();
            closed = true;
            ready = false;
        });
    }
}
