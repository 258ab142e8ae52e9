/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.flight;

import java.net.InetSocketAddress;
import jdk.jfr.FlightRecorder;

/** What the connection manager tells the flight recorder. Nothing where the JVM has none, and nothing before the first recording. */
public final class FlightRecording {
    private static final boolean IS_THERE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightRecording() {}

    /** {@return whether anybody records, or has since the JVM began} */
    public static boolean isOn() {
        return IS_THERE && FlightRecorder.isInitialized();
    }

    /**
     * Records that something has happened to a connection; to be called where {@link #isOn()}.
     *
     * @param device the name of its device
     * @param type of the event
     * @param status of the event
     * @param localAddress this end's, or null
     * @param peerAddress the other end's, or null
     */
    public static void record(
            String device, String type, int status, InetSocketAddress localAddress, InetSocketAddress peerAddress) {
        ConnectionEvent.record(device, type, status, localAddress, peerAddress);
    }
}
