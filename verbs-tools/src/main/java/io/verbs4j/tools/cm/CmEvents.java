/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.cm;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.EventChannel;
import java.util.concurrent.TimeUnit;

/** Waits for events. */
final class CmEvents {
    private final EventChannel channel;
    private final long timeoutNanos;

    CmEvents(EventChannel channel, long timeoutNanos) {
        this.channel = channel;
        this.timeoutNanos = timeoutNanos;
    }

    /** {@return the next event, or null if none comes in time} */
    CmEvent next(long end) {
        return channel.getEvent(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    long end() {
        return System.nanoTime() + timeoutNanos;
    }

    /** Waits for the next event of an id, which must be of a type. Refuses requests that arrive meanwhile. */
    CmEvent await(CmId id, int type) {
        long end = end();
        while (true) {
            CmEvent event = next(end);
            if (event == null) {
                throw CmFailures.of(new VerbsException(
                        Errno.ETIMEDOUT, "connect", "no answer from " + id.peerAddress() + " in time"));
            }
            if (event.id() == id && event.type() == type) {
                return event;
            }
            if (event.id() == id) {
                throw CmFailures.of(new VerbsException(
                        event.type() == CmEventType.REJECTED ? Errno.ECONNREFUSED : Errno.ECONNABORTED,
                        "connect",
                        id.peerAddress() + ": " + CmEventType.toString(event.type()) + ": " + event.statusText()));
            }
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                event.id().close();
            }
        }
    }
}
