/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.flight;

import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import jdk.jfr.FlightRecorder;

/** What the connection manager tells the flight recorder. Nothing where the JVM has none, and nothing before the first recording. */
public final class FlightRecording {
    private static final boolean IS_THERE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightRecording() {}

    /**
     * An event is taken by the program, or by the library for it.
     *
     * @param event the event
     * @return the event
     */
    public static CmEvent taken(CmEvent event) {
        if (event.type() != CmEventType.DISCONNECTED && isOn()) {
            ConnectionEvent.record(event.id(), event.type(), event.status());
        }
        return event;
    }

    /**
     * A connection has ended, whether or not anybody takes the event.
     *
     * @param id this end of it
     * @param status of the event
     */
    public static void ended(CmId id, int status) {
        if (isOn()) {
            ConnectionEvent.record(id, CmEventType.DISCONNECTED, status);
        }
    }

    private static boolean isOn() {
        return IS_THERE && FlightRecorder.isInitialized();
    }
}
