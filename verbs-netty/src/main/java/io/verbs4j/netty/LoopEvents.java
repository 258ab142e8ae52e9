/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.EventChannel;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/** The connection events of an event loop, in order. Belongs to the loop's thread. */
final class LoopEvents {
    private final EventChannel channel = EventChannel.create();
    private final ArrayDeque<CmEvent> collected = new ArrayDeque<>();

    /** Set by any thread. */
    private volatile boolean pending;

    /**
     * Starts without events.
     *
     * @param wakeup wakes the loop; called by any thread
     */
    LoopEvents(Runnable wakeup) {
        channel.onEvent(() -> {
            pending = true;
            wakeup.run();
        });
    }

    EventChannel channel() {
        return channel;
    }

    boolean isEmpty() {
        return !pending && collected.isEmpty();
    }

    /** Passes events to their targets. {@return the number of events} */
    int handle(VerbsIoHandler loop) {
        if (isEmpty()) {
            return 0;
        }
        collect(loop);
        int done = 0;
        for (CmEvent event; (event = collected.pollFirst()) != null; done++) {
            CmId about = event.listenId() == null ? event.id() : event.listenId();
            if (about.userContext() instanceof CmTarget target) {
                target.event(loop, event);
            }
        }
        return done;
    }

    /**
     * Takes events to be handled later. The end of a connection takes effect at once, so that nothing more is written
     * to it. The kernel's connection manager reports an open connection as rejected if the peer closed it before
     * learning that it was established.
     */
    void collect(VerbsIoHandler loop) {
        if (pending) {
            pending = false;
            for (CmEvent event; (event = channel.getEvent(0, TimeUnit.NANOSECONDS)) != null; ) {
                collected.addLast(event);
                boolean end = event.type() == CmEventType.DISCONNECTED || event.type() == CmEventType.REJECTED;
                if (end && event.id().userContext() instanceof Handshake connection) {
                    connection.link().ended(loop);
                }
            }
        }
    }

    void close() {
        channel.close();
    }
}
