/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A completion channel, which delivers the events of completion queues to waiting threads.
 *
 * <p>Providers subclass it. All methods may be called from any thread. Several threads may wait; each event goes to one
 * of them. Source: {@code ibv_create_comp_channel(3)}.
 */
public abstract class CompletionChannel extends VerbsObject {

    /**
     * Creates the handle; for providers.
     *
     * @param context context that the channel belongs to
     */
    protected CompletionChannel(Context context) {
        super(Objects.requireNonNull(context, "context"));
    }

    /**
     * Waits for the next completion event. It need not be acknowledged by {@link CompletionQueue#ackEvents(int)}:
     * unlike in C, the queue can be closed at any time. Source: {@code ibv_get_cq_event(3)}.
     *
     * @return the queue that the event is about; null if {@link #wakeup()} ended the wait without an event
     * @throws VerbsException {@link Errno#EINTR} if the thread is interrupted (it stays interrupted);
     *     {@link Errno#EBADF} if the channel is closed, before or during the wait
     */
    public final CompletionQueue getEvent() {
        return ops().getCqEvent(this, -1);
    }

    /**
     * Waits for the next completion event for a limited time. {@link #wakeup()} may end the wait early.
     *
     * @param timeout maximum time to wait; 0 checks without waiting
     * @param unit the unit of {@code timeout}
     * @return the queue that the event is about, or null if there was none in that time or the wait was woken
     * @throws VerbsException as {@link #getEvent()}, and {@link Errno#EINVAL} without a unit
     */
    public final CompletionQueue getEvent(long timeout, TimeUnit unit) {
        return ops().getCqEvent(this, nanos("get_cq_event", timeout, unit));
    }

    /**
     * Passes completion events to a handler from now on, so that none of the program's own threads has to wait; for
     * event loops and executors. As with {@link #getEvent()}, a queue reports one event each time it is armed: the
     * handler must arm it again and poll it empty. If there are several subscriptions or waiting threads, each event
     * goes to one of them.
     *
     * @param executor runs the handler; {@code Runnable::run} runs it in the subscription's own thread
     * @param handler takes the queue that the event is about; its exceptions go where the executor's exceptions go
     * @return the subscription; close it, or close the channel, to end it
     */
    public final EventSubscription subscribe(Executor executor, Consumer<? super CompletionQueue> handler) {
        return EventSubscription.of(this, this::getEvent, executor, handler);
    }

    /**
     * Ends a wait in {@link #getEvent()} or {@link #getEvent(long, TimeUnit)} early: it returns null. If no thread
     * waits, the next call that would wait returns null at once instead; a call with time 0 never waits and leaves that
     * pending. So any thread can give other work to an event loop that waits here. Since level 3.
     *
     * <p>One call ends one wait; if several threads wait, including that of a {@link #subscribe subscription}, any one
     * of them returns. Calls made before a wait has ended count as one. An event that is already there is returned
     * first and leaves the wake-up pending. Neither blocks nor allocates; does nothing after close. A library older
     * than level 3 reports an untimed wait that ends without an event as {@link Errno#EIO}; use timed waits there.
     *
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the provider does not support it, like those of levels 1 and
     *     2: wait for short times then
     */
    public final void wakeup() {
        check(wakeWaiter(), "can't end a wait early; use shorter timeouts");
    }

    /**
     * Sets the action that runs when there is a completion event, so that an event loop that waits elsewhere needs no
     * thread for this channel ({@link #subscribe} has one). The action only signals that there may be events; the loop
     * then calls {@link #getEvent(long, TimeUnit)} with time 0 until it returns null. An event that comes after that
     * runs the action again, at least once; the action may also run when there is none. Since level 3.
     *
     * <p>The action runs in the thread that generates the event: one of the device's, or one that posts a request, with
     * locks of the device held. It must not block and must not call verbs. It may set a flag, unpark a thread, call
     * {@code wakeup()} of a selector or of another channel, or pass a task to an executor. Exceptions that it throws
     * are logged and ignored.
     *
     * <p>A channel has one action; a new one replaces it. If there are events already, the action runs soon. Closing
     * the channel removes it.
     *
     * @param action the action, or null to remove it. An old action may still be running in another thread after this
     *     method returns
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the provider does not support it, like those of levels 1 and
     *     2: use {@link #subscribe} then; {@link Errno#EBADF} after close
     */
    public final void onEvent(Runnable action) {
        check(runOnEvent(action), "can't run an action on an event; use subscribe");
    }

    private void check(int errno, String lack) {
        if (errno == Errno.EBADF) {
            throw new VerbsException(errno, "get_cq_event", this + " is closed");
        }
        if (errno != 0) {
            throw new VerbsException(
                    errno, "get_cq_event", "the provider of " + context().device() + " " + lack);
        }
    }

    /**
     * Implements {@link #wakeup()}; for providers. Ends one wait in {@link ContextOps#getCqEvent}, which returns null:
     * that of any waiting thread, or else the next one. Does nothing once the channel is destroyed. May be called from
     * any thread at any time; neither blocks nor allocates. Since level 3.
     *
     * @return 0; {@link Errno#EOPNOTSUPP} if the provider does not support it, as in this class
     */
    protected int wakeWaiter() {
        return Errno.EOPNOTSUPP;
    }

    /**
     * Implements {@link #onEvent}; for providers. Runs the action at least once for events that come after
     * {@link ContextOps#getCqEvent} with time 0 returned null, and contains its exceptions. Since level 3.
     *
     * @param action replaces the previous action; or null
     * @return 0; {@link Errno#EBADF} once the channel is destroyed; {@link Errno#EOPNOTSUPP} if the provider does not
     *     support it, as in this class
     */
    protected int runOnEvent(Runnable action) {
        return Errno.EOPNOTSUPP;
    }

    /**
     * Returns the file descriptor that is readable while there are events, for event loops outside Java. When it is
     * readable, call {@link #getEvent(long, TimeUnit)} with time 0 until it returns null. The device owns the
     * descriptor: do not read from it or close it, and remove it from the loop before the channel is closed, because
     * its number may then be reused for another file.
     *
     * <p>A pending {@link #wakeup()} may make it readable too, until a call that would wait has returned null for it.
     * The embedded device does this; native devices do not. A loop that waits for descriptors is better woken through
     * one of its own.
     *
     * @return the file descriptor, the same at each call; -1 if the device has none, or the process cannot open another
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public final int descriptor() {
        return ops().compChannelDescriptor(this);
    }

    /** Destroys the channel. Source: {@code ibv_destroy_comp_channel(3)}. */
    @Override
    public final void close() {
        ops().destroyCompChannel(this);
    }

    @Override
    public final String toString() {
        return "completion channel of " + context().device();
    }
}
