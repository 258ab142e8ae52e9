/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import io.verbs4j.Device;
import io.verbs4j.DeviceKind;
import io.verbs4j.core.base.HeaderCheck;
import io.verbs4j.core.base.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The devices that the usable providers listed at one moment, and the report about it. */
final class Listing {
    private static final String STEP = "devices()";

    /** Orders hardware first and embedded devices last. */
    private static final class ByKind implements Comparator<Device> {
        @Override
        public int compare(Device one, Device other) {
            return Integer.compare(rank(one.kind()), rank(other.kind()));
        }

        /** A kind of a later level counts as hardware. */
        private static int rank(int kind) {
            return kind == DeviceKind.KERNEL || kind == DeviceKind.EMBEDDED ? kind : DeviceKind.HARDWARE;
        }
    }

    /** The question for a provider's devices, asked by an {@link Asker}. */
    private record Asking(DiscoveredProvider found) implements Supplier<ListedDevices> {
        @Override
        public ListedDevices get() {
            return ListedDevices.of(found.provider(), found.identity().level());
        }
    }

    private final List<Device> devices = new ArrayList<>();
    private final IdentityHashMap<Device, DiscoveredProvider> owners = new IdentityHashMap<>();
    private final Map<String, DiscoveredProvider> names = new HashMap<>();
    private final List<Report.Entry> entries = new ArrayList<>();

    private boolean headerTooOld;

    private final IdentityHashMap<DiscoveredProvider, ProviderCall<ListedDevices>> hanging;

    /**
     * Asks the providers.
     *
     * @param limit how long to wait for each
     * @param hanging the providers that have not returned since they were last asked; kept up to date
     */
    Listing(
            List<DiscoveredProvider> found,
            TimeLimit limit,
            IdentityHashMap<DiscoveredProvider, ProviderCall<ListedDevices>> hanging) {
        this.hanging = hanging;
        try (Asker asker = new Asker(limit)) {
            for (DiscoveredProvider f : found) {
                if (f.usable()) {
                    ask(f, asker);
                } else {
                    setAside(f, f.reason());
                }
            }
        }
        if (devices.size() > 1) {
            devices.sort(new ByKind()); // stable: keeps the order within a kind
        }
    }

    /** The devices: hardware first, embedded ones last, otherwise in the order of the providers. */
    List<Device> devices() {
        return List.copyOf(devices);
    }

    /** The provider of a device, or null if the device is not in the list. */
    DiscoveredProvider owner(Device device) {
        return owners.get(device);
    }

    /** Whether a provider was set aside because it was built for a newer header than the loaded one. */
    boolean headerTooOld() {
        return headerTooOld;
    }

    /**
     * Reports the providers, and also unreadable jars and lost registrations, which are only looked for when a report
     * is made, not before the first transfer.
     */
    Report report() {
        List<Report.Entry> all = new ArrayList<>(entries);
        for (DiscoveredProvider broken : BrokenJars.on(System.getProperty("java.class.path", ""))) {
            all.add(new Report.Entry(broken.identity(), broken.reason(), List.of()));
        }
        Set<String> told = new HashSet<>();
        Set<String> used = new HashSet<>();
        for (Report.Entry entry : entries) {
            told.add(entry.identity().className());
            if (entry.used()) {
                used.add(entry.identity().className());
            }
        }
        for (ClassLoader loader : loaders()) {
            for (DiscoveredProvider lost : LostRegistrations.in(loader, told, used)) {
                told.add(lost.identity().className());
                used.remove(lost.identity().className());
                all.add(new Report.Entry(lost.identity(), lost.reason(), List.of()));
            }
        }
        return new Report(all);
    }

    private static List<ClassLoader> loaders() {
        ClassLoader own = Listing.class.getClassLoader();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null || context == own ? List.of(own) : List.of(context, own);
    }

    private void ask(DiscoveredProvider found, Asker asker) {
        ProviderCall<ListedDevices> before = hanging.get(found);
        if (before != null && !before.isDone()) {
            setAside(found, TimeLimit.stillExceeded(STEP, before));
            return;
        }
        hanging.remove(found);
        ProviderCall<ListedDevices> call = asker.ask(found.identity().name(), new Asking(found));
        if (!call.isDone()) {
            hanging.put(found, call);
            setAside(found, asker.limit().exceeded(STEP, call));
            return;
        }
        ListedDevices given = call.answer();
        if (given.reason().isEmpty()) {
            take(found, given.devices());
        } else {
            setAside(found, given.reason());
        }
    }

    private void take(DiscoveredProvider found, List<Device> given) {
        List<String> taken = new ArrayList<>();
        List<Report.Entry> refused = new ArrayList<>();
        for (Device device : given) {
            String reason = judge(device);
            if (reason.isEmpty()) {
                names.put(device.name(), found);
                owners.put(device, found);
                devices.add(device);
                taken.add(device.name());
            } else {
                List<String> refusedNames = device == null ? List.of() : List.of(device.name());
                refused.add(new Report.Entry(found.identity(), reason, refusedNames));
            }
        }
        entries.add(new Report.Entry(found.identity(), "", taken));
        entries.addAll(refused);
    }

    private String judge(Device device) {
        if (device == null) {
            return "its list of devices contains null, which was left out; fix or replace the provider";
        }
        if (device.name().isBlank()) {
            return "a device without a name was left out; fix or replace the provider";
        }
        DiscoveredProvider first = names.get(device.name());
        if (first == null) {
            return "";
        }
        return "its device " + Printable.line(device.name()) + " was left out: provider '"
                + first.identity().name() + "' (" + first.identity().className()
                + ") already has a device of that name; rename one, or exclude a provider with -D"
                + ExcludeList.PROPERTY;
    }

    private void setAside(DiscoveredProvider found, String reason) {
        headerTooOld |= reason.contains(HeaderCheck.REMEDY);
        entries.add(new Report.Entry(found.identity(), reason, List.of()));
    }
}
