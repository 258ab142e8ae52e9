/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.OpenAttr;
import io.verbs4j.PortState;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.core.base.HeaderCheck;
import io.verbs4j.core.base.Printable;
import io.verbs4j.core.verbs.Opening;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** The implementation of {@code Verbs}: finds the providers once, and keeps the last list of their devices. */
public final class Library {
    private final Supplier<List<DiscoveredProvider>> discovery;
    private final Supplier<TimeLimit> limit;
    private final ReentrantLock lock = new ReentrantLock();

    /** Null before discovery. */
    private List<DiscoveredProvider> found;

    /** Providers that have not returned since they were last asked for their devices. */
    private final IdentityHashMap<DiscoveredProvider, ProviderCall<ListedDevices>> hanging = new IdentityHashMap<>();

    /** Null before the first listing. */
    private Listing lastListing;

    /**
     * Does not start discovery.
     *
     * @param discovery finds the providers; called once
     * @param limit how long to wait for a provider; read each time
     */
    public Library(Supplier<List<DiscoveredProvider>> discovery, Supplier<TimeLimit> limit) {
        this.discovery = discovery;
        this.limit = limit;
    }

    public List<Device> devices() {
        return aligned("get_device_list").devices();
    }

    public Report report() {
        lock.lock();
        try {
            return (lastListing == null ? list() : lastListing).report();
        } finally {
            lock.unlock();
        }
    }

    public Context open(Device device, int callerLevel) {
        return open(device, callerLevel, new OpenAttr());
    }

    public Context open(Device device, int callerLevel, OpenAttr attr) {
        String verb = "open_device";
        HeaderCheck.check(verb, callerLevel);
        Arguments.notNull(verb, "device", device);
        Arguments.notNull(verb, "attr", attr);
        Arguments.atLeast(verb, "callerLevel", callerLevel, 1);
        DiscoveredProvider owner = ownerOf(device);
        if (owner == null) {
            throw new VerbsException(
                    Errno.ENODEV,
                    verb,
                    "device " + Printable.line(device.name())
                            + " is not among those that Verbs.devices() returns now; list them again");
        }
        // A separate class, because it needs the header that was checked above.
        return Opening.open(owner.provider(), owner.identity(), device, callerLevel, attr);
    }

    /** Finds the device with a name. */
    public Device device(String name) {
        String verb = "get_device";
        Arguments.notNull(verb, "name", name);
        Listing listing = aligned(verb);
        for (Device device : listing.devices()) {
            if (device.name().equals(name)) {
                return device;
            }
        }
        throw new VerbsException(
                Errno.ENODEV,
                verb,
                "no device '" + Printable.line(name) + "'; providers and devices found:\n" + listing.report());
    }

    /** Finds the device that the property names, otherwise the first one with an active port. */
    public Device defaultDevice(String named) {
        if (named != null && !named.isBlank()) {
            return device(named.trim());
        }
        String verb = "get_device";
        Listing listing = aligned(verb);
        StringBuilder passedOver = new StringBuilder();
        for (Device device : listing.devices()) {
            String why = withoutActivePort(listing.owner(device), device);
            if (why.isEmpty()) {
                return device;
            }
            passedOver
                    .append(Printable.line(device.name()))
                    .append(": ")
                    .append(why)
                    .append('\n');
        }
        throw new VerbsException(
                Errno.ENODEV,
                verb,
                "no device has an active port; providers and devices found:\n" + passedOver + listing.report());
    }

    /** Says why a device cannot be the default one, or "". */
    private static String withoutActivePort(DiscoveredProvider owner, Device device) {
        try (Context context =
                Opening.open(owner.provider(), owner.identity(), device, VerbsLevel.BASE, new OpenAttr())) {
            int ports = context.queryDevice().physPortCnt();
            for (int port = 1; port <= ports; port++) {
                if (context.queryPort(port).state() == PortState.ACTIVE) {
                    return "";
                }
            }
            return "none of its ports (" + ports + ") is active";
        } catch (VerbsException e) {
            return e.getMessage();
        }
    }

    private DiscoveredProvider ownerOf(Device device) {
        lock.lock();
        try {
            DiscoveredProvider owner = lastListing == null ? null : lastListing.owner(device);
            return owner != null ? owner : list().owner(device);
        } finally {
            lock.unlock();
        }
    }

    /** Lists the devices. Fails if none is left because the header is too old: an empty list would hide the reason. */
    private Listing aligned(String verb) {
        HeaderCheck.library(verb);
        Listing listing = list();
        if (listing.devices().isEmpty() && listing.headerTooOld()) {
            throw new VerbsException(
                    Errno.EPROTO,
                    verb,
                    "no devices, because the header (verbs-spi) is older than a provider; providers found:\n"
                            + listing.report());
        }
        return listing;
    }

    /** Lists the devices, one thread at a time: providers need not support concurrent listing. */
    private Listing list() {
        lock.lock();
        try {
            if (found == null) {
                found = discovery.get();
            }
            lastListing = new Listing(found, limit.get(), hanging);
            return lastListing;
        } finally {
            lock.unlock();
        }
    }
}
