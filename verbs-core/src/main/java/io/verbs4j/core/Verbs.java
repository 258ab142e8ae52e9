/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.OpenAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.base.LibraryLevel;
import io.verbs4j.core.discovery.Discovery;
import io.verbs4j.core.discovery.ExcludeList;
import io.verbs4j.core.discovery.Found;
import io.verbs4j.core.discovery.Library;
import io.verbs4j.core.discovery.TimeLimit;
import java.util.List;
import java.util.function.Supplier;

/**
 * The way in: lists the devices and opens them.
 *
 * <p>The providers are found through {@link java.util.ServiceLoader} once, when the first method is called that needs
 * them: by way of the calling thread's context class loader, and of this class' own where the other does not lead to it.
 * A provider that can't be used is set aside; {@link #report()} tells why, and the others go on working. The system
 * property {@code io.verbs4j.exclude} keeps providers out before they are made: a comma-separated list of class names,
 * or of package prefixes that end in {@code .*}.
 *
 * <p>Providers are made, and asked for their devices, in a thread beside the program's. One that has not answered after 30 seconds
 * is set aside, and its thread, a daemon, is left alone. The system property {@code io.verbs4j.provider.timeout} sets
 * other seconds; 0 waits for ever.
 *
 * <p>All methods may be called from any thread. <strong>Frozen</strong>: this class does not grow in later levels.
 */
public final class Verbs {
    /** A class of its own, so that looking for providers begins when it is asked for. */
    private static final class Holder {
        static final Library LIBRARY = new Library(new Providers(), new Limit());
    }

    /** Those that this thread and this class lead to. */
    private static final class Providers implements Supplier<List<Found>> {
        @Override
        public List<Found> get() {
            return Discovery.run(
                    new ExcludeList(System.getProperty(ExcludeList.PROPERTY)),
                    TimeLimit.ofProperty(),
                    Thread.currentThread().getContextClassLoader(),
                    Verbs.class.getClassLoader());
        }
    }

    private static final class Limit implements Supplier<TimeLimit> {
        @Override
        public TimeLimit get() {
            return TimeLimit.ofProperty();
        }
    }

    private static final String DEVICE_PROPERTY = "io.verbs4j.device";

    private Verbs() {}

    /**
     * Lists the devices of all providers that can be used. The providers are asked anew at each call, so a device that
     * was plugged in meanwhile is there.
     *
     * @return the devices, each with a name of its own: adapters first, then those of the operating system, then embedded ones
     *     ({@link io.verbs4j.DeviceKind}); else by provider in the order of {@link java.util.ServiceLoader}
     * @throws VerbsException {@link Errno#EPROTO} where the header that is loaded is older than the one that the library was
     *     compiled with, or there is no device because it is older than those of the providers; the message tells which jar
     *     is too old, and the remedy
     */
    public static List<Device> devices() {
        return Holder.LIBRARY.devices();
    }

    /**
     * Opens a device.
     *
     * @param device one of {@link #devices()}
     * @param callerLevel the level that the caller was compiled for: {@link VerbsLevel#CURRENT}
     * @return the open device; to be closed
     * @throws VerbsException {@link Errno#EINVAL} for no device or a level below 1; {@link Errno#ENODEV} for a device
     *     that is not there (any more); {@link Errno#EPROTO} where the header that is loaded is older than the one that
     *     the caller or the library was compiled with; {@link Errno#EIO} where the provider is at fault; or the errno of
     *     the device
     */
    public static Context open(Device device, int callerLevel) {
        return Holder.LIBRARY.open(device, callerLevel);
    }

    /**
     * Opens a device in a certain way, as {@link #open(Device, int)}.
     *
     * @param device one of {@link #devices()}
     * @param callerLevel the level that the caller was compiled for: {@link VerbsLevel#CURRENT}
     * @param attr how to open it
     * @return the open device; to be closed
     * @throws VerbsException as {@link #open(Device, int)}, and {@link Errno#EOPNOTSUPP} where the provider has not honoured
     *     all of {@code attr}
     */
    public static Context open(Device device, int callerLevel, OpenAttr attr) {
        return Holder.LIBRARY.open(device, callerLevel, attr);
    }

    /**
     * Finds a device by its name.
     *
     * @param name its name, for instance {@code mlx5_0}
     * @return the device
     * @throws VerbsException {@link Errno#ENODEV} where there is none, the message has the {@link #report()}; {@link
     *     Errno#EPROTO} as {@link #devices()}
     */
    public static Device device(String name) {
        return Holder.LIBRARY.device(name);
    }

    /**
     * Finds the device to take where the program has no reason for another: the one that the system property {@code
     * io.verbs4j.device} names, else the first of {@link #devices()} that has an active port. To see that, devices are opened
     * and closed again.
     *
     * @return the device
     * @throws VerbsException {@link Errno#ENODEV} where there is none, the message tells why each was passed over, and has the
     *     {@link #report()}; {@link Errno#EPROTO} as {@link #devices()}
     */
    public static Device defaultDevice() {
        return Holder.LIBRARY.defaultDevice(System.getProperty(DEVICE_PROPERTY));
    }

    /**
     * Tells which providers were found, which are used, and why the others are not, as of the last time that the devices
     * were listed; lists them where that was not done yet.
     *
     * @return the report
     */
    public static ProviderReport report() {
        return new ProviderReport(Holder.LIBRARY.report());
    }

    /**
     * The level of the library.
     *
     * @return its number; 3 for release 1.2
     */
    public static int level() {
        return LibraryLevel.CURRENT;
    }
}
