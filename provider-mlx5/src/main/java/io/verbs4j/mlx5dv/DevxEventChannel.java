/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.mlx5.layout.DvDevxAsyncEventHdrLayout;
import io.verbs4j.provider.mlx5.layout.DvDevxEventChannelLayout;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.event.EventSource;
import io.verbs4j.rdmacore.quirk.Libmlx5;
import java.util.concurrent.TimeUnit;

/**
 * A channel that receives the device events subscribed to on it. A subscription ends when its object or the channel is
 * closed. Thread-safe. Source: mlx5dv_devx_create_event_channel(3).
 */
public final class DevxEventChannel extends DvHandle {
    static final String KIND = "DevX event channel";

    /** The maximum number of event types in one subscription. */
    public static final int MAX_EVENTS = 16;

    private static final String GET = "mlx5dv_devx_get_event";

    /** An entry of an event queue has 64 bytes; the kernel would truncate a longer one with an error. */
    private static final int ROOM = 256;

    private final long address;
    private final NativeFunction getEvent;
    private final EventSource source;

    DevxEventChannel(VendorContext base, long address) {
        super(base, KIND);
        this.address = address;
        getEvent = Libmlx5.function(GET, 25);
        source = new EventSource(GET, NativeMemory.getInt(address + DvDevxEventChannelLayout.FD));
    }

    /**
     * Subscribes to events. Source: mlx5dv_devx_subscribe_devx_event(3).
     *
     * @param object the object whose events to receive; null for events of no object, such as
     *     {@link DevxEventType#PORT_CHANGE}
     * @param cookie the cookie to recognize the events by
     * @param events {@link DevxEventType} values, 1 to {@link #MAX_EVENTS} of them
     * @throws VerbsException {@link Errno#EINVAL} for events that the object (or the device) does not have, for too few
     *     or too many events, for an object of another context, and after close of either
     */
    public void subscribe(DevxObject object, long cookie, int... events) {
        String verb = "mlx5dv_devx_subscribe_devx_event";
        if (events == null || events.length < 1 || events.length > MAX_EVENTS) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    (events == null ? "no" : events.length) + " event types; a subscription takes 1 to " + MAX_EVENTS);
        }
        with(verb, object, o -> {
            try (Scratch c = new Scratch(events.length * Short.BYTES)) {
                for (int i = 0; i < events.length; i++) {
                    NativeMemory.putShort(
                            c.address() + (long) i * Short.BYTES,
                            Answers.narrow(verb, "the event type", events[i], 0xffff));
                }
                long rc = Libmlx5.function(verb, 25)
                        .call(address, o, (long) events.length * Short.BYTES, c.address(), cookie);
                check(verb, rc);
            }
        });
    }

    /**
     * Subscribes to an event by eventfd: each event increments the eventfd's counter, and nothing arrives on this
     * channel. Source: mlx5dv_devx_subscribe_devx_event_fd, in mlx5dv_devx_subscribe_devx_event(3).
     *
     * @param fd an eventfd, which the program keeps and closes
     * @param object the object whose events to receive; null for events of no object
     * @param event a {@link DevxEventType} value
     * @throws VerbsException {@link Errno#EBADF} if {@code fd} is not open; {@link Errno#EINVAL} if it is not an
     *     eventfd, and as for {@link #subscribe}
     */
    public void subscribeFd(int fd, DevxObject object, int event) {
        String verb = "mlx5dv_devx_subscribe_devx_event_fd";
        Answers.narrow(verb, "the event type", event, 0xffff);
        with(verb, object, o -> check(verb, Libmlx5.function(verb, 25).call(address, fd, o, event)));
    }

    private interface WithObject {
        void call(long object);
    }

    private void with(String verb, DevxObject object, WithObject body) {
        if (object == null) {
            run(verb, () -> body.call(0));
            return;
        }
        requireSameContext(verb, object);
        run(verb, () -> object.run(verb, () -> body.call(object.address())));
    }

    private static void check(String verb, long rc) {
        int errno = Answers.errno(rc);
        if (errno == Errno.EINVAL) {
            throw new VerbsException(
                    errno,
                    verb,
                    "the object, or the device if there is none, does not have such events, or the descriptor is not"
                            + " an eventfd; check the events that its capabilities list");
        }
        if (errno == Errno.EBADF) {
            throw new VerbsException(errno, verb, "the eventfd is not open; pass an open one");
        }
        if (errno != 0) {
            throw Answers.failed(verb, errno);
        }
    }

    /**
     * Waits for the next event.
     *
     * @return the event
     * @throws VerbsException {@link Errno#EINTR} if the thread is interrupted (it stays interrupted);
     *     {@link Errno#EBADF} if this channel is closed meanwhile, {@link Errno#EINVAL} if it is closed already;
     *     EOVERFLOW (errno 75), once, if the kernel lost events for lack of memory
     */
    public DevxEvent getEvent() {
        return await(-1);
    }

    /**
     * Waits for the next event for a limited time.
     *
     * @param timeout how long to wait; 0 does not wait
     * @param unit the unit of {@code timeout}
     * @return the event, or null if none arrived in that time
     * @throws VerbsException as {@link #getEvent()}, and {@link Errno#EINVAL} without a unit
     */
    public DevxEvent getEvent(long timeout, TimeUnit unit) {
        return await(nanos(GET, timeout, unit));
    }

    static long nanos(String verb, long timeout, TimeUnit unit) {
        if (unit == null) {
            throw new VerbsException(Errno.EINVAL, verb, "unit is null; pass the unit of the timeout");
        }
        return Math.max(0, unit.toNanos(timeout));
    }

    private DevxEvent await(long nanos) {
        return use(GET, () -> source.await(nanos, this::fetch));
    }

    private DevxEvent fetch() {
        try (Scratch c = new Scratch(ROOM)) {
            long n = getEvent.call(address, c.address(), ROOM);
            if (n < 0) {
                int errno = Answers.errno(-1);
                if (errno == Errno.EAGAIN || errno == Errno.EINTR) {
                    return null;
                }
                throw Answers.failed(GET, errno);
            }
            int length = (int) n - DvDevxAsyncEventHdrLayout.SIZEOF;
            return new DevxEvent(
                    NativeMemory.getLong(c.address() + DvDevxAsyncEventHdrLayout.COOKIE),
                    length < Mailbox.HEADER_LENGTH
                            ? null
                            : new Mailbox(length).copyFrom(c.address() + DvDevxAsyncEventHdrLayout.SIZEOF));
        }
    }

    @Override
    void wake() {
        source.close();
    }

    @Override
    void destroy() {
        Libmlx5.function("mlx5dv_devx_destroy_event_channel", 25).call(address);
    }
}
