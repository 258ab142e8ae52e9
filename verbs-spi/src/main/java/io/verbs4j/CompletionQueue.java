/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Objects;

/**
 * A completion queue.
 *
 * <p>Providers subclass it; {@link #poll} and {@link #reqNotify} are theirs, and go there without a step between. All
 * methods may be called from any thread. Source: {@code ibv_create_cq(3)}.
 */
public abstract class CompletionQueue extends VerbsObject {
    private final Object userContext;
    private final CompletionChannel channel;
    private volatile int cqe;

    /**
     * Creates the handle; for providers.
     *
     * @param context context that the queue belongs to
     * @param cqe number of entries
     * @param userContext object of the application's, or null
     * @param channel channel for its events, or null
     */
    protected CompletionQueue(Context context, int cqe, Object userContext, CompletionChannel channel) {
        super(Objects.requireNonNull(context, "context"));
        this.cqe = cqe;
        this.userContext = userContext;
        this.channel = channel;
    }

    /**
     * Changes the number of entries that the handle tells, after {@link ContextOps#resizeCq}; for providers.
     *
     * @param newCqe number of entries
     */
    protected final void updateCqe(int newCqe) {
        cqe = newCqe;
    }

    /**
     * Object of the application's.
     *
     * @return the object given at creation, or null
     */
    public final Object userContext() {
        return userContext;
    }

    /**
     * The channel for the queue's events.
     *
     * @return the channel, or null
     */
    public final CompletionChannel channel() {
        return channel;
    }

    /**
     * How many entries the queue has.
     *
     * @return the number, at least what was asked for
     */
    public final int cqe() {
        return cqe;
    }

    /**
     * Takes completions off the queue. Neither throws nor allocates. Source: {@code ibv_poll_cq(3)}.
     *
     * @param numEntries most completions to take, 0 to the length of {@code wc}
     * @param wc where they go, from index 0; the elements must not be null
     * @return how many were taken, 0 where the queue is empty; or the negative of an errno: {@link Errno#EINVAL} for bad
     *     arguments and after close, {@link Errno#EOVERFLOW} where the queue has overrun
     */
    public abstract int poll(int numEntries, WorkCompletion[] wc);

    /**
     * Asks for one event at the next completion. Completions that are there already make none: poll once more after
     * this. Neither throws nor allocates. Source: {@code ibv_req_notify_cq(3)}.
     *
     * @param solicitedOnly whether only a completion of a solicited receive, or one that failed, makes the event
     * @return 0, or an errno: {@link Errno#EINVAL} after close
     */
    public abstract int reqNotify(boolean solicitedOnly);

    /**
     * Gives completion events back. Nothing waits for that: it is here for programs that were written for C's rule. Source:
     * {@code ibv_ack_cq_events(3)}.
     *
     * @param count how many, from 1 to as many as were got and not given back
     * @throws VerbsException {@link Errno#EINVAL} for more than that
     */
    public final void ackEvents(int count) {
        ops().ackCqEvents(this, count);
    }

    /**
     * Changes the size; the completions in the queue stay. Source: {@code ibv_resize_cq(3)}.
     *
     * @param newCqe least number of entries from now on, from 1
     * @throws VerbsException {@link Errno#EINVAL} where it is out of range or fewer than there are completions in the queue;
     *     {@link Errno#EOPNOTSUPP} where the device can't; {@link Errno#ENOMEM} where there is no memory for it
     */
    public final void resize(int newCqe) {
        ops().resizeCq(this, newCqe);
    }

    /**
     * Destroys the queue. Unlike in C it does not wait for events: those that were handed out are forgotten. Source: {@code
     * ibv_destroy_cq(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while queue pairs refer to it
     */
    @Override
    public final void close() {
        ops().destroyCq(this);
    }

    @Override
    public final String toString() {
        return "completion queue of " + cqe + " entries of " + context().device();
    }
}
