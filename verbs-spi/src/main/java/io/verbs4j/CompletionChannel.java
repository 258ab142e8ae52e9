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
        return EventSubscription.start(this, this::getEvent, executor, handler);
    }

    /**
     * The descriptor that becomes readable when there is an event, for event loops outside Java; it stays the device's and is
     * not to be closed.
     *
     * @return the file descriptor; -1 where the device has none
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
