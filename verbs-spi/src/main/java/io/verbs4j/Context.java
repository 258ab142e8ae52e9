/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * An open device. The library makes the instances; applications get them from its {@code open}.
 *
 * <p>The methods are thin: each looks up one function of the library and calls it. All may be called from any thread.
 * Source: {@code ibv_open_device(3)}.
 */
public abstract class Context extends VerbsObject {
    private final Device device;
    private final OpenAttr openAttr;
    private volatile long acceptedOpenAttr;
    private volatile long acceptedOpenAttr2;

    /**
     * Creates a context; for the library.
     *
     * @param device the device that is open
     * @param openAttr how it is opened
     */
    protected Context(Device device, OpenAttr openAttr) {
        super(null);
        this.device = device;
        this.openAttr = Objects.requireNonNull(openAttr, "openAttr");
    }

    /**
     * The library's functions: its own work around the provider's.
     *
     * @return the functions, the same at every call
     */
    protected abstract ContextOps libraryOps();

    /**
     * What the library keeps with an object; for the library.
     *
     * @param object any handle
     * @return what {@link #libraryState(VerbsObject, Object)} put there, or null
     */
    protected static Object libraryState(VerbsObject object) {
        return object.libraryState;
    }

    /**
     * Keeps something of the library's with an object; for the library.
     *
     * @param object any handle
     * @param state what to keep
     */
    protected static void libraryState(VerbsObject object, Object state) {
        object.libraryState = state;
    }

    /**
     * The device that is open.
     *
     * @return the device
     */
    public final Device device() {
        return device;
    }

    /**
     * How the device was opened; for providers, while they open it.
     *
     * @return the attributes that were given at open; without any bit where none were
     */
    public final OpenAttr openAttr() {
        return openAttr;
    }

    /**
     * Says which attributes of {@link #openAttr()} the provider knows and has honoured; for providers, while they open the
     * device. The library refuses the open where the attributes have others. Nothing is accepted to begin with.
     *
     * @param known bits of the first mask
     * @param known2 bits of the second mask
     */
    public final void acceptOpenAttr(long known, long known2) {
        acceptedOpenAttr |= known;
        acceptedOpenAttr2 |= known2;
    }

    /**
     * Whether the provider has honoured all that the device was opened with; for the library.
     *
     * @param context the context
     * @return false where an attribute is left that may not be dropped
     */
    protected static boolean openAttrAccepted(Context context) {
        return context.openAttr.hasOnly(context.acceptedOpenAttr, context.acceptedOpenAttr2);
    }

    /**
     * The vendor's own verbs of this device: the door to what a provider's jar exports besides. The provider answers with an
     * object of the type, or does not know the type.
     *
     * @param <T> a type that the provider exports
     * @param type that type
     * @return the provider's object, the same at every call
     * @throws VerbsException {@link Errno#EINVAL} for null and after close; {@link Errno#EOPNOTSUPP} where the device's provider
     *     does not know the type; the message names the provider
     */
    public final <T> T vendor(Class<T> type) {
        return libraryOps().vendor(type);
    }

    /**
     * The number of completion vectors: what {@code compVector} may be is 0 to this minus 1.
     *
     * @return the number, at least 1
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public final int numCompVectors() {
        return libraryOps().numCompVectors();
    }

    /**
     * Asks what the device can do. Source: {@code ibv_query_device(3)}.
     *
     * @return a new instance with the answer
     * @throws VerbsException with the device's errno
     */
    public final DeviceAttr queryDevice() {
        DeviceAttr attr = new DeviceAttr();
        libraryOps().queryDevice(attr);
        return attr;
    }

    /**
     * Asks for the state of a port. Source: {@code ibv_query_port(3)}.
     *
     * @param portNum the port, from 1
     * @return a new instance with the answer
     * @throws VerbsException {@link Errno#EINVAL} where there is no such port
     */
    public final PortAttr queryPort(int portNum) {
        PortAttr attr = new PortAttr();
        libraryOps().queryPort(portNum, attr);
        return attr;
    }

    /**
     * Reads an entry of a port's GID table. Source: {@code ibv_query_gid(3)}.
     *
     * @param portNum the port, from 1
     * @param index the entry, from 0
     * @return the GID; {@link Gid#ZERO} where the entry is empty
     * @throws VerbsException {@link Errno#EINVAL} where there is no such port or entry
     */
    public final Gid queryGid(int portNum, int index) {
        return libraryOps().queryGid(portNum, index);
    }

    /**
     * Reads an entry of a port's P_Key table. Source: {@code ibv_query_pkey(3)}.
     *
     * @param portNum the port, from 1
     * @param index the entry, from 0
     * @return the P_Key as a number, 0 to 0xffff
     * @throws VerbsException {@link Errno#EINVAL} where there is no such port or entry
     */
    public final int queryPkey(int portNum, int index) {
        return libraryOps().queryPkey(portNum, index);
    }

    /**
     * Allocates a protection domain. Source: {@code ibv_alloc_pd(3)}.
     *
     * @return the new domain
     * @throws VerbsException {@link Errno#ENOMEM} where the device has no more
     */
    public final ProtectionDomain allocPd() {
        return libraryOps().allocPd();
    }

    /**
     * Creates a completion channel. Source: {@code ibv_create_comp_channel(3)}.
     *
     * @return the new channel
     * @throws VerbsException {@link Errno#EMFILE} or {@link Errno#ENOMEM} where there are no more
     */
    public final CompletionChannel createCompChannel() {
        return libraryOps().createCompChannel();
    }

    /**
     * Creates a completion queue without a completion channel.
     *
     * @param cqe least number of entries, from 1
     * @return the new queue
     * @throws VerbsException as {@link #createCq(int, Object, CompletionChannel, int)}
     */
    public final CompletionQueue createCq(int cqe) {
        return createCq(cqe, null, null, 0);
    }

    /**
     * Creates a completion queue. Source: {@code ibv_create_cq(3)}.
     *
     * @param cqe least number of entries, from 1
     * @param userContext object of the application's that the queue carries along; may be null
     * @param channel channel for its completion events, or null
     * @param compVector completion vector for its events, 0 to {@link #numCompVectors()} minus 1
     * @return the new queue
     * @throws VerbsException {@link Errno#EINVAL} for a number out of range or a channel of another context;
     *     {@link Errno#ENOMEM} where there are no more
     */
    public final CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
        return libraryOps().createCq(cqe, userContext, channel, compVector);
    }

    /**
     * Creates a completion queue with attributes of the vendor's own, as {@link #createCq(int, Object, CompletionChannel, int)}.
     * Source: {@code mlx5dv_create_cq(3)}, {@code efadv_create_cq(3)}.
     *
     * @param cqe least number of entries
     * @param userContext object of the application's that the queue carries along; may be null
     * @param channel channel for its events, or null
     * @param compVector completion vector, from 0
     * @param vendor the attributes, of a type that the provider exports
     * @return the new queue
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where the device's provider does not know the type
     */
    public final CompletionQueue createCq(
            int cqe, Object userContext, CompletionChannel channel, int compVector, Object vendor) {
        return libraryOps().createCq(cqe, userContext, channel, compVector, vendor);
    }

    /**
     * Waits for the next asynchronous event. Nothing waits for its {@link AsyncEvent#ack()}: unlike in C the object that it is
     * about can be closed at any time, and the event stays valid. Source: {@code ibv_get_async_event(3)}.
     *
     * @return the event
     * @throws VerbsException {@link Errno#EINTR} where the thread is interrupted (it stays interrupted);
     *     {@link Errno#EBADF} where the context is closed, before or meanwhile
     */
    public final AsyncEvent getAsyncEvent() {
        return libraryOps().getAsyncEvent(-1);
    }

    /**
     * Waits for the next asynchronous event, but not for ever.
     *
     * @param timeout how long to wait; 0 looks without waiting
     * @param unit the unit of {@code timeout}
     * @return the event, or null where there was none in that time
     * @throws VerbsException as {@link #getAsyncEvent()}, and {@link Errno#EINVAL} without a unit
     */
    public final AsyncEvent getAsyncEvent(long timeout, TimeUnit unit) {
        return libraryOps().getAsyncEvent(nanos("get_async_event", timeout, unit));
    }

    /**
     * Has asynchronous events handed to the program from now on, so that none of its threads waits.
     *
     * @param executor where the handler runs; {@code Runnable::run} is the subscription's own thread
     * @param handler takes the event; an exception of it goes where the executor's exceptions go
     * @return the subscription; to be closed, and ended by closing the context
     */
    public final EventSubscription subscribe(Executor executor, Consumer<? super AsyncEvent> handler) {
        return EventSubscription.start(this, this::getAsyncEvent, executor, handler);
    }

    /**
     * The descriptor that becomes readable when there is an asynchronous event, for event loops outside Java; it stays the
     * device's and is not to be closed.
     *
     * @return the file descriptor; -1 where the device has none
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public final int asyncEventDescriptor() {
        return libraryOps().asyncEventDescriptor();
    }

    /**
     * Works out the way back to the sender of a datagram. Source: {@code ibv_init_ah_from_wc(3)}.
     *
     * @param portNum port that received the datagram, from 1
     * @param wc completion of the receive
     * @param grh buffer whose first 40 bytes from its position are those of the receive buffer; it stays as it is
     * @return a new address vector
     * @throws VerbsException {@link Errno#EINVAL} where the port does not have the GID that the datagram was sent to,
     *     without a completion, and without the 40 bytes where the completion tells of them
     */
    public final AhAttr initAhFromWc(int portNum, WorkCompletion wc, ByteBuffer grh) {
        return Grh.pathBack(this, portNum, wc, grh);
    }

    /**
     * Closes the device. Source: {@code ibv_close_device(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while there are objects of the context
     */
    @Override
    public final void close() {
        libraryOps().close();
    }

    @Override
    public final String toString() {
        return "context of " + device;
    }
}
