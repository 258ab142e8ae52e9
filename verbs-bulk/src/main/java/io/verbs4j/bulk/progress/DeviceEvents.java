/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.EventSubscription;
import io.verbs4j.EventType;
import io.verbs4j.VerbsException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Distributes the asynchronous events of a context to the endpoints that use it, because each event has only one
 * reader. While there are endpoints, a thread of the process waits for the events.
 */
final class DeviceEvents {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    /** One object for each context that endpoints use. */
    private static final Map<Context, DeviceEvents> ALL = new HashMap<>();

    private final Context context;
    private final List<Runnable> actions = new CopyOnWriteArrayList<>();
    private EventSubscription subscription;
    private volatile boolean lost;

    private DeviceEvents(Context context) {
        this.context = context;
    }

    /**
     * Runs an action when a device is lost; immediately if it is known to be lost. The action must be quick.
     *
     * @return removes the action
     */
    static AutoCloseable onLoss(Context context, Runnable action) {
        DeviceEvents events;
        synchronized (ALL) {
            events = ALL.computeIfAbsent(context, DeviceEvents::new);
            events.actions.add(action);
            events.subscribe();
        }
        if (events.lost) {
            action.run();
        }
        return () -> events.remove(action);
    }

    private void remove(Runnable action) {
        synchronized (ALL) {
            actions.remove(action);
            if (actions.isEmpty() && ALL.remove(context, this) && subscription != null) {
                subscription.close();
            }
        }
    }

    /** Starts to read events; some devices have none. */
    private void subscribe() {
        if (subscription != null || lost) {
            return;
        }
        try {
            AsyncEvent event = context.getAsyncEvent(0, TimeUnit.NANOSECONDS);
            if (event != null) {
                handle(event);
            }
            subscription = EventSubscription.of(context, this::next, Runnable::run, this::handle);
        } catch (VerbsException e) {
            if (isOfLostDevice(e.errno())) {
                lose();
            } else {
                LOG.log(System.Logger.Level.DEBUG, context.device() + " has no asynchronous events", e);
            }
        }
    }

    private AsyncEvent next() {
        try {
            return context.getAsyncEvent();
        } catch (VerbsException e) {
            if (!isOfLostDevice(e.errno())) {
                throw e;
            }
            lose();
            throw new VerbsException(Errno.EBADF, "get_async_event", "the device is lost, and so are its events", e);
        }
    }

    private void handle(AsyncEvent event) {
        if (event.eventType() == EventType.DEVICE_FATAL) {
            lose();
        } else {
            LOG.log(System.Logger.Level.DEBUG, "{0}: {1}", context.device(), event);
        }
    }

    private void lose() {
        lost = true;
        actions.forEach(Runnable::run);
    }

    /** Whether an errno is one that verbs fail with when their device is lost. It may have other causes. */
    static boolean isOfLostDevice(int errno) {
        return errno == Errno.ENODEV || errno == Errno.EIO;
    }
}
