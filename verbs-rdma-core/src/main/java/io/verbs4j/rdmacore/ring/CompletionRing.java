/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.ring;

import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.rdmacore.object.ReadingTurn;

/**
 * A completion queue that Java reads: its lock, and the thread that reads it in place. The format of completions and
 * the polling of many at once are the vendor's; a shared poll would be compiled for all vendors together.
 */
public abstract class CompletionRing {
    private final RingLock lock;
    private final PatientLock patient;
    private final ReadingTurn turn;
    private boolean closed;
    private boolean ready = true; // neither closed nor read in place: the only check of a poll

    /** Creates an open ring that no thread reads. */
    protected CompletionRing(RingLock lock) {
        this.lock = lock;
        patient = new PatientLock(lock);
        turn = new ReadingTurn(patient::pass, this::ended, lock.isForOneThread());
    }

    /** {@return the lock, which guards all that follows unless stated otherwise} */
    public final RingLock lock() {
        return lock;
    }

    /** {@return the turn of reading in place} */
    protected final ReadingTurn turn() {
        return turn;
    }

    /** {@return whether it can be polled: it is open, and {@link #awaitTurn} would not wait for a reading thread} */
    protected final boolean isReady() {
        return ready;
    }

    /** {@return whether the calling thread may start to read in place} */
    final boolean mayStartReading() {
        return ready && !turn.isHeld() || !closed && turn.mayStart();
    }

    /** Makes the calling thread the reader. */
    final void startReading() {
        turn.start();
        ready = false;
    }

    /** Ends reading in place. */
    final void endReading() {
        ended();
        turn.stop();
    }

    private void ended() {
        giveBack();
        ready = !closed;
    }

    /** {@return whether it is closed} */
    protected final boolean isClosed() {
        return closed;
    }

    /**
     * Takes the next completion; {@link #giveBack} returns its place to the device. Returns its address, or 0 if there
     * is none.
     */
    protected abstract long next(WorkCompletion to);

    /** Returns the places that were read to the device. */
    protected abstract void giveBack();

    /**
     * Waits up to a second until no thread reads in place. Call it without the lock.
     *
     * @return false if another thread still reads, or if the calling thread does
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
     * Takes the lock and runs {@code body} while no thread reads in place.
     *
     * @param verb the verb that runs it
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EBUSY} if another thread continues to read, or if the
     *     calling thread is the reader
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

    /** Closes the queue while {@code destroy} frees it; if that throws, the queue stays open. */
    public final void close(Runnable destroy) {
        whileUnread("destroy_cq", () -> {
            destroy.run();
            closed = true;
            ready = false;
        });
    }
}
