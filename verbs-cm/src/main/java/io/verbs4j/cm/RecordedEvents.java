/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.cm.flight.FlightRecording;

/** Reports events of connections to the flight recorder. */
final class RecordedEvents {
    private RecordedEvents() {}

    /** Records an event that the program, or the library on its behalf, has taken. Returns the event. */
    static CmEvent taken(CmEvent event) {
        if (event.type() != CmEventType.DISCONNECTED) {
            record(event.id(), event.type(), event.status());
        }
        return event;
    }

    /**
     * Records the end of a connection, even if nobody takes the event.
     *
     * @param id this end of the connection
     * @param status status of the event
     */
    static void ended(CmId id, int status) {
        record(id, CmEventType.DISCONNECTED, status);
    }

    private static void record(CmId id, int type, int status) {
        if (FlightRecording.isOn()) {
            FlightRecording.record(
                    id.context().device().name(),
                    CmEventType.toString(type),
                    status,
                    id.localAddress(),
                    id.peerAddress());
        }
    }
}
