/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.flight;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Device;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import jdk.jfr.FlightRecorder;

/**
 * What the library reports to the flight recorder: nothing if the JVM has none, and nothing before the first recording.
 */
public final class FlightRecording {
    private static final boolean IS_THERE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightRecording() {}

    /** {@return whether anything has been recorded in this JVM} */
    public static boolean isOn() {
        return IS_THERE && FlightRecorder.isInitialized();
    }

    /**
     * Begins the event of opening a device.
     *
     * @param device the device
     * @param provider the provider's name
     * @param level the level that the program was compiled for
     * @return the event to end; null if nothing is recorded
     */
    public static DeviceOpenEvent opening(Device device, String provider, int level) {
        return isOn() ? new DeviceOpenEvent(device.name(), provider, level) : null;
    }

    /** {@return the event to end after memory has been registered; null if nothing is recorded} */
    public static MemoryRegistrationEvent registering() {
        return isOn() ? new MemoryRegistrationEvent() : null;
    }

    /**
     * Records that memory was registered.
     *
     * @param event of {@link #registering}
     * @param mr the region
     * @param access its rights, {@link io.verbs4j.AccessFlags}
     * @return the region
     */
    public static MemoryRegion registered(MemoryRegistrationEvent event, MemoryRegion mr, int access) {
        if (event != null) {
            event.end(mr, access);
        }
        return mr;
    }

    /**
     * Records that a program has modified a queue pair.
     *
     * @param qp the queue pair
     * @param from its state before
     * @param to its state now
     */
    public static void modified(QueuePair qp, int from, int to) {
        if (isOn() && from != to) {
            QueuePairStateEvent.record(qp, from, to);
        }
    }

    /**
     * Records that a program takes an asynchronous event.
     *
     * @param event the event
     */
    public static void delivered(AsyncEvent event) {
        if (isOn()) {
            AsynchronousEvent.record(event);
        }
    }
}
