/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.ring;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.rdmacore.object.ReadingTurn;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

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
    private boolean handedOver; // to device code
    private volatile boolean released; // by device code
    private final AtomicInteger queuePairs = new AtomicInteger(); // that use this queue

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
        return ready && !turn.isHeld() || !closed && !handedOver && turn.mayStart();
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
        ready = !closed && !handedOver;
    }

    /** {@return whether it is closed} */
    protected final boolean isClosed() {
        return closed;
    }

    /** {@return whether device code has the queue} The lock must be held. */
    protected final boolean isHandedOver() {
        return handedOver;
    }

    /** Notes that a queue pair uses this queue, or with -1, that one no longer does. */
    public final void used(int change) {
        queuePairs.addAndGet(change);
    }

    /**
     * Hands the queue over to device code. It cannot be polled from then on, not even after {@link #release}.
     *
     * @param verb the verb that hands it over
     * @param most how many queue pairs may use the queue
     * @param hasCompletions whether a completion is waiting; called with the lock held
     * @throws VerbsException {@link Errno#EBUSY} if a completion is waiting, a thread reads in place, or the queue was
     *     handed over before; {@link Errno#EINVAL} if more queue pairs use it
     */
    protected final void handOver(String verb, int most, BooleanSupplier hasCompletions) {
        whileUnread(verb, () -> {
            if (closed) {
                throw new VerbsException(Errno.EINVAL, verb, "the completion queue is closed");
            }
            if (handedOver) {
                throw new VerbsException(Errno.EBUSY, verb, "device code already has this completion queue");
            }
            if (queuePairs.get() > most) {
                throw new VerbsException(
                        Errno.EINVAL,
                        verb,
                        "other queue pairs use the completion queue; give this queue pair one of its own");
            }
            if (hasCompletions.getAsBoolean()) {
                throw new VerbsException(
                        Errno.EBUSY, verb, "completions are waiting in the completion queue; poll them first");
            }
            handedOver = true;
            ready = false;
        });
    }

    /** Undoes {@link #handOver}, before device code has seen the queue. */
    public final void takeBack() {
        whileUnread("export_ring", () -> {
            handedOver = false;
            ready = !closed;
        });
    }

    /** {@return whether device code has, or had, the queue} Takes the lock. */
    public final boolean isLeft() {
        boolean asOwner = lock.lockOnce();
        try {
            return handedOver;
        } finally {
            lock.unlock(asOwner);
        }
    }

    /** Notes that device code no longer uses the queue, so that it can be destroyed. */
    public final void release() {
        released = true;
    }

    /**
     * Checks that device code does not use the queue.
     *
     * @param verb the verb that needs it
     * @throws VerbsException {@link Errno#EBUSY} if device code does
     */
    public final void requireReleased(String verb) {
        if (!released && isLeft()) {
            throw new VerbsException(
                    Errno.EBUSY, verb, "device code has the completion queue; close its DeviceRing first");
        }
    }

    /**
     * Checks that a new queue pair can use the queue.
     *
     * @throws VerbsException {@link Errno#EBUSY} if the queue was handed over
     */
    public final void requireUsable() {
        if (isLeft()) {
            throw new VerbsException(Errno.EBUSY, "create_qp", "device code has the completion queue; use another one");
        }
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
