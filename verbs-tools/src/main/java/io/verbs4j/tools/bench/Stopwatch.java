/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.Context;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.ValuesMask;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.text.Printable;

/**
 * Measures times by the JVM's clock or the device's. By the device's clock an operation ends when it completes, no
 * matter how late that is noticed here.
 */
final class Stopwatch {
    /** Null if the JVM's clock is used. */
    private final Context device;

    private final DeviceAttrEx clock;

    private Stopwatch(Context device, DeviceAttrEx clock) {
        this.device = device;
        this.clock = clock;
    }

    static Stopwatch ofJvm() {
        return new Stopwatch(null, null);
    }

    static Stopwatch ofDevice(Context device) {
        DeviceAttrEx attr = device.queryDeviceEx();
        if (attr.completionTimestampMask() == 0 || attr.hcaCoreClock() == 0) {
            throw ToolException.notAvailable(
                    "--timestamps: " + Printable.of(device.device().name())
                            + " does not time-stamp completions; leave it out, or use another device");
        }
        return new Stopwatch(device, attr);
    }

    /** {@return the time now} */
    long start() {
        return device == null
                ? System.nanoTime()
                : device.queryValues(ValuesMask.RAW_CLOCK).rawClock();
    }

    /**
     * {@return the time when an operation ended}
     *
     * @param stamp time stamp of its completion, if the device's clock is used
     */
    long end(long stamp) {
        return device == null ? System.nanoTime() : stamp;
    }

    /** {@return nanoseconds from one time to another} */
    long nanos(long from, long to) {
        return device == null ? to - from : clock.nanosOfTicks(to - from & clock.completionTimestampMask());
    }
}
