/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.OpenAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.base.LibraryLevel;
import io.verbs4j.core.discovery.DiscoveredProvider;
import io.verbs4j.core.discovery.Discovery;
import io.verbs4j.core.discovery.ExcludeList;
import io.verbs4j.core.discovery.Library;
import io.verbs4j.core.discovery.TimeLimit;
import java.util.List;
import java.util.function.Supplier;

/**
 * The entry point: lists the devices and opens them.
 *
 * <p>The first method that needs the providers finds them, once, through {@link java.util.ServiceLoader}: with the
 * calling thread's context class loader, and with the class loader of this class if the former does not lead to it. A
 * provider that cannot be used is set aside; {@link #report()} says why, and the others keep working. The system
 * property {@code io.verbs4j.exclude} excludes providers before they are created: a comma-separated list of class
 * names, or of package prefixes that end in {@code .*}.
 *
 * <p>Providers are created, and asked for their devices, in another thread. A provider that has not answered after 30
 * seconds is set aside, and its thread, a daemon, is abandoned. The system property {@code io.verbs4j.provider.timeout}
 * sets another number of seconds; 0 waits for ever.
 *
 * <p>All methods are thread-safe. <strong>Frozen</strong>: this class does not grow in later levels.
 */
public final class Verbs {
    /** A separate class, so that discovery starts at the first use. */
    private static final class Holder {
        static final Library LIBRARY = new Library(new Providers(), new Limit());
    }

    /** Finds the providers with the class loaders of the calling thread and of this class. */
    private static final class Providers implements Supplier<List<DiscoveredProvider>> {
        @Override
        public List<DiscoveredProvider> get() {
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
     * Lists the devices of all usable providers. Each call asks the providers anew, so it sees devices that were
     * plugged in meanwhile.
     *
     * @return the devices, each with a unique name: adapters first, then those of the operating system, then embedded
     *     ones ({@link io.verbs4j.DeviceKind}); within a kind in the order in which {@link java.util.ServiceLoader}
     *     found the providers
     * @throws VerbsException {@link Errno#EPROTO} if the loaded header is older than the one that the library was
     *     compiled with, or if there is no device because the providers need a newer header; the message names the
     *     outdated jar and the remedy
     */
    public static List<Device> devices() {
        return Holder.LIBRARY.devices();
    }

    /**
     * Opens a device.
     *
     * @param device one of {@link #devices()}
     * @param callerLevel the level that the caller was compiled for: {@link VerbsLevel#CURRENT}
     * @return the open device; close it after use
     * @throws VerbsException {@link Errno#EINVAL} if the device is null or the level is below 1; {@link Errno#ENODEV}
     *     if the device does not exist (any more); {@link Errno#EPROTO} if the loaded header is older than the one that
     *     the caller or the library was compiled with; {@link Errno#EIO} if the provider is defective; or the errno of
     *     the device
     */
    public static Context open(Device device, int callerLevel) {
        return Holder.LIBRARY.open(device, callerLevel);
    }

    /**
     * Opens a device with attributes, otherwise like {@link #open(Device, int)}.
     *
     * @param device one of {@link #devices()}
     * @param callerLevel the level that the caller was compiled for: {@link VerbsLevel#CURRENT}
     * @param attr how to open it
     * @return the open device; close it after use
     * @throws VerbsException as {@link #open(Device, int)}, and {@link Errno#EOPNOTSUPP} if the provider has not
     *     honoured all of {@code attr}
     */
    public static Context open(Device device, int callerLevel, OpenAttr attr) {
        return Holder.LIBRARY.open(device, callerLevel, attr);
    }

    /**
     * Finds a device by its name.
     *
     * @param name its name, for instance {@code mlx5_0}
     * @return the device
     * @throws VerbsException {@link Errno#ENODEV} if there is none, with the {@link #report()} in the message; {@link
     *     Errno#EPROTO} as {@link #devices()}
     */
    public static Device device(String name) {
        return Holder.LIBRARY.device(name);
    }

    /**
     * Finds the device for a program that has no preference: the one that the system property {@code io.verbs4j.device}
     * names, otherwise the first of {@link #devices()} with an active port. Devices are opened and closed to look at
     * their ports.
     *
     * @return the device
     * @throws VerbsException {@link Errno#ENODEV} if there is none, with the reason for each device and the {@link
     *     #report()} in the message; {@link Errno#EPROTO} as {@link #devices()}
     */
    public static Device defaultDevice() {
        return Holder.LIBRARY.defaultDevice(System.getProperty(DEVICE_PROPERTY));
    }

    /**
     * Reports which providers were found, which are used, and why the others are not, as of the last listing of
     * devices. Lists the devices if that has not happened yet.
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
