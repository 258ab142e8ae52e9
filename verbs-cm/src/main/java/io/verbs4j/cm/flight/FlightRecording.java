/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.flight;

import java.net.InetSocketAddress;
import jdk.jfr.FlightRecorder;

/**
 * Reports the connection manager's events to the flight recorder. Does nothing if the JVM has none, or before the first
 * recording.
 */
public final class FlightRecording {
    private static final boolean IS_THERE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightRecording() {}

    /** {@return whether a recording runs, or has run since the JVM started} */
    public static boolean isOn() {
        return IS_THERE && FlightRecorder.isInitialized();
    }

    /**
     * Records an event of a connection; call it only if {@link #isOn()}.
     *
     * @param device name of the device
     * @param type type of the event
     * @param status status of the event
     * @param localAddress address of this end, or null
     * @param peerAddress address of the peer, or null
     */
    public static void record(
            String device, String type, int status, InetSocketAddress localAddress, InetSocketAddress peerAddress) {
        ConnectionEvent.record(device, type, status, localAddress, peerAddress);
    }
}
