/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.Context;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.ValuesMask;
import io.verbs4j.tools.ToolException;
import io.verbs4j.tools.text.Printable;

/**
 * What times are taken by: the JVM's clock, or the device's. By the device's an operation ends when it completes, however late that is
 * noticed here.
 */
final class Stopwatch {
    private static final long NANOS_OF_MILLISECOND = 1_000_000;

    /** Null where the JVM's clock counts. */
    private final Context device;

    private final long mask;
    private final long kilohertz;

    private Stopwatch(Context device, long mask, long kilohertz) {
        this.device = device;
        this.mask = mask;
        this.kilohertz = kilohertz;
    }

    static Stopwatch ofJvm() {
        return new Stopwatch(null, 0, 0);
    }

    static Stopwatch ofDevice(Context device) {
        DeviceAttrEx attr = device.queryDeviceEx();
        if (attr.completionTimestampMask() == 0 || attr.hcaCoreClock() == 0) {
            throw ToolException.notAvailable(
                    "--timestamps: " + Printable.of(device.device().name())
                            + " tells no time of completions; leave it out, or take another device");
        }
        return new Stopwatch(device, attr.completionTimestampMask(), attr.hcaCoreClock());
    }

    /** The time now. */
    long start() {
        return device == null
                ? System.nanoTime()
                : device.queryValues(ValuesMask.RAW_CLOCK).rawClock();
    }

    /**
     * The time that something ended.
     *
     * @param stamp time stamp of its completion, where the device's clock counts
     */
    long end(long stamp) {
        return device == null ? System.nanoTime() : stamp;
    }

    /** Nanoseconds from one time to another. */
    long nanos(long from, long to) {
        return device == null ? to - from : nanosOfTicks(to - from & mask, kilohertz);
    }

    /** Whole milliseconds first: the product of all ticks would not fit. */
    static long nanosOfTicks(long ticks, long kilohertz) {
        return ticks / kilohertz * NANOS_OF_MILLISECOND + ticks % kilohertz * NANOS_OF_MILLISECOND / kilohertz;
    }
}
