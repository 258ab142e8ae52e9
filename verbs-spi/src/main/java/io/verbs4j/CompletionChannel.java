/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A completion channel: where to wait for the events of completion queues.
 *
 * <p>Providers subclass it. All methods may be called from any thread; several may wait, each event goes to one of them.
 * Source: {@code ibv_create_comp_channel(3)}.
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
     * Waits for the next completion event. Nothing waits for its {@link CompletionQueue#ackEvents(int)}: unlike in C the queue
     * can be closed at any time. Source: {@code ibv_get_cq_event(3)}.
     *
     * @return the queue that the event is about; null where the wait was ended without an event, as a thread that is woken is
     * @throws VerbsException {@link Errno#EINTR} where the thread is interrupted (it stays interrupted);
     *     {@link Errno#EBADF} where the channel is closed, before or meanwhile
     */
    public final CompletionQueue getEvent() {
        return ops().getCqEvent(this, -1);
    }

    /**
     * Waits for the next completion event, but not for ever. The wait may end sooner than its time, when woken.
     *
     * @param timeout how long to wait; 0 looks without waiting
     * @param unit the unit of {@code timeout}
     * @return the queue that the event is about, or null where there was none in that time, or till it was woken
     * @throws VerbsException as {@link #getEvent()}, and {@link Errno#EINVAL} without a unit
     */
    public final CompletionQueue getEvent(long timeout, TimeUnit unit) {
        return ops().getCqEvent(this, nanos("get_cq_event", timeout, unit));
    }

    /**
     * Has completion events handed to the program from now on, so that none of its threads waits: for event loops and executors.
     * As with {@link #getEvent()}, a queue tells one event each time that it was armed; the handler arms it again and polls it
     * empty. Where several subscribe, or wait besides, each event goes to one of them.
     *
     * @param executor where the handler runs; {@code Runnable::run} is the subscription's own thread
     * @param handler takes the queue that the event is about; an exception of it goes where the executor's exceptions go
     * @return the subscription; to be closed, and ended by closing the channel
     */
    public final EventSubscription subscribe(Executor executor, Consumer<? super CompletionQueue> handler) {
        return EventSubscription.of(this, this::getEvent, executor, handler);
    }

    /**
     * Ends a wait in {@link #getEvent()} or {@link #getEvent(long, TimeUnit)} before its time: it returns null. If no thread
     * waits, the next call that would wait returns null at once instead; a call with time 0 never waits and leaves that
     * pending. So an event loop that waits here can be given other work by any thread. Since level 3.
     *
     * <p>One call ends one wait; if several threads wait, a {@link #subscribe subscription} among them, any one of them
     * returns. Calls that come before a wait has ended count as one. An event that is there is returned first and leaves the
     * wake-up pending. Neither blocks nor allocates; does nothing after close. A library older than level 3 reports a wait
     * without a time that ends without an event as {@link Errno#EIO}; wait with a time there.
     *
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the provider can't, as those of levels 1 and 2: wait for short times then
     */
    public final void wakeup() {
        check(wakeWaiter(), "can't end a wait before its time; wait for shorter times");
    }

    /**
     * Runs an action when there is a completion event, so that an event loop that waits elsewhere needs no thread for this channel
     * ({@link #subscribe} has one). The action only says that there may be something; the loop then calls {@link
     * #getEvent(long, TimeUnit)} with time 0 until it returns null. An event that comes after that runs the action again, at
     * least once; the action may also run for nothing. Since level 3.
     *
     * <p>The action runs in the thread that makes the event: one of the device's, or one that posts a request, with
     * locks of the device held. It must not block and must not call verbs: let it set a flag, unpark a thread, call
     * {@code wakeup()} of a selector or of another channel, or hand a task to an executor. What it throws is logged and
     * ignored.
     *
     * <p>A channel has one action; another one replaces it. If there are events already, the action runs soon. Closing the channel ends it.
     *
     * @param action what to run; null for nothing any more. After this has returned, an old action may still be
     *     running in another thread
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the provider can't, as those of levels 1 and 2: use {@link #subscribe} then;
     *     {@link Errno#EBADF} after close
     */
    public final void onEvent(Runnable action) {
        check(runOnEvent(action), "can't run an action when there is an event; use subscribe");
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
     * What {@link #wakeup()} does; for providers. Ends one wait in {@link ContextOps#getCqEvent}: the one of any thread that waits, else the next;
     * it returns null. Does nothing once the channel is destroyed. May be called from any thread at any time; neither blocks nor allocates. Since
     * level 3.
     *
     * @return 0; {@link Errno#EOPNOTSUPP} where the provider can't, as here
     */
    protected int wakeWaiter() {
        return Errno.EOPNOTSUPP;
    }

    /**
     * What {@link #onEvent} does; for providers. Runs the action at least once after an event has come since {@link
     * ContextOps#getCqEvent} with time 0 returned null, and contains what it throws. Since level 3.
     *
     * @param action takes the place of the one before; or null
     * @return 0; {@link Errno#EBADF} once the channel is destroyed; {@link Errno#EOPNOTSUPP} where the provider can't, as here
     */
    protected int runOnEvent(Runnable action) {
        return Errno.EOPNOTSUPP;
    }

    /**
     * The descriptor that is readable as long as there are events, for event loops outside Java. Then call {@link
     * #getEvent(long, TimeUnit)} with time 0 until it returns null. The descriptor stays the device's: do not read from it or
     * close it, and have the loop forget it before the channel is closed, as its number may then be another file's.
     *
     * <p>A {@link #wakeup()} that is pending may make it readable too, until a call that would wait has returned null for it:
     * so it is on the embedded device, and not on native ones. A loop that waits for descriptors is better woken by one of its own.
     *
     * @return the file descriptor, the same at each call; -1 where the device has none, or the process can open no further one
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
