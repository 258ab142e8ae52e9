/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Reads the completions of an extended completion queue in a {@code try} block: {@link CompletionQueue#startPoll},
 * {@link CompletionQueue#nextPoll()} and, however the block is left, {@link CompletionQueue#endPoll()}.
 *
 * <pre>{@code
 * CompletionReader reader = cq.reader(); // once
 * ...
 * try (CompletionReader r = reader.start()) {
 *     while (r.next()) {
 *         done(cq.wrId(), cq.status());
 *     }
 * }
 * }</pre>
 *
 * <p>The queue's own methods read the fields. Leaving the block early consumes the completions visited so far,
 * including the current one; the others stay in the queue. Allocates nothing except the exception of a failure. A
 * reader belongs to one thread at a time; several threads may read one queue, each with its own reader, by the rules of
 * {@link CompletionQueue#startPoll}. Since level 3.
 */
public final class CompletionReader implements AutoCloseable {
    private static final int CLOSED = 0;

    /** Started, no completion handed out yet. */
    private static final int BEFORE_FIRST = 1;

    private static final int AT_ONE = 2;

    /** Started, past the last completion. */
    private static final int AT_END = 3;

    /** Started, but the queue was empty: there is no reading to end. */
    private static final int EMPTY = 4;

    private final CompletionQueue cq;
    private int state;

    CompletionReader(CompletionQueue cq) {
        this.cq = cq;
    }

    /**
     * Starts to read. If the queue is empty, {@link #next()} returns false.
     *
     * @return this
     * @throws VerbsException {@link Errno#EBUSY} if this reader was started and not closed; otherwise the errno of
     *     {@link CompletionQueue#startPoll}, unless that is 0 or {@link Errno#ENOENT}. The reader is not started then
     */
    public CompletionReader start() {
        if (state != CLOSED) {
            throw new VerbsException(Errno.EBUSY, "start_poll", "this reader is already started; close it first");
        }
        int errno = cq.startPoll(null);
        if (errno != 0 && errno != Errno.ENOENT) {
            throw new VerbsException(errno, "start_poll", "can't start reading the " + cq);
        }
        state = errno == 0 ? BEFORE_FIRST : EMPTY;
        return this;
    }

    /**
     * Moves to the next completion, or to the first one after {@link #start()}.
     *
     * @return whether there is a completion; if not, reading is done
     * @throws VerbsException {@link Errno#EINVAL} if the reader is not started, or the queue was closed meanwhile
     */
    public boolean next() {
        switch (state) {
            case BEFORE_FIRST:
                state = AT_ONE;
                return true;
            case AT_ONE:
                return advance();
            case CLOSED:
                throw new VerbsException(Errno.EINVAL, "next_poll", "this reader is not started");
            default:
                return false;
        }
    }

    private boolean advance() {
        int errno = cq.nextPoll();
        if (errno == 0) {
            return true;
        }
        state = AT_END;
        if (errno != Errno.ENOENT) {
            throw new VerbsException(errno, "next_poll", "can't continue reading the " + cq);
        }
        return false;
    }

    /** Ends the reading; does nothing if none has started. The reader can be started again. */
    @Override
    public void close() {
        boolean begun = state != CLOSED && state != EMPTY;
        state = CLOSED;
        if (begun) {
            cq.endPoll(); // fails if another thread has ended it: then there is nothing to end
        }
    }
}
