/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.Device;
import io.verbs4j.VerbsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The devices that the usable providers gave at one moment, and the report of it. */
final class Listing {
    private final List<Device> devices = new ArrayList<>();
    private final IdentityHashMap<Device, Found> owners = new IdentityHashMap<>();
    private final Map<String, Found> names = new HashMap<>();
    private final List<ProviderReport.Entry> entries = new ArrayList<>();

    private Listing() {}

    static Listing of(List<Found> found) {
        Listing listing = new Listing();
        for (Found f : found) {
            if (f.usable()) {
                listing.ask(f);
            } else {
                listing.setAside(f, f.reason());
            }
        }
        return listing;
    }

    List<Device> devices() {
        return List.copyOf(devices);
    }

    /** The provider of a device, or null where the device is not in the list. */
    Found owner(Device device) {
        return owners.get(device);
    }

    ProviderReport report() {
        return new ProviderReport(entries);
    }

    private void ask(Found found) {
        List<Device> given = new ArrayList<>();
        try {
            List<? extends Device> list = found.provider().devices();
            if (list == null) {
                setAside(found, "devices() returned null; a provider without devices must return an empty list");
                return;
            }
            for (Device device : list) { // one by one: each must be a Device, whatever the provider was compiled with
                given.add(device);
            }
        } catch (VerbsException e) {
            setAside(found, "its devices can't be listed: " + e.getMessage());
            return;
        } catch (Throwable t) {
            setAside(found, ProviderVetting.failure("devices()", t));
            return;
        }
        List<String> taken = new ArrayList<>();
        List<ProviderReport.Entry> refused = new ArrayList<>();
        for (Device device : given) {
            String reason = judge(device);
            if (reason.isEmpty()) {
                names.put(device.name(), found);
                owners.put(device, found);
                devices.add(device);
                taken.add(device.name());
            } else {
                List<String> refusedNames = device == null ? List.of() : List.of(device.name());
                refused.add(new ProviderReport.Entry(found.identity(), reason, refusedNames));
            }
        }
        entries.add(new ProviderReport.Entry(found.identity(), "", taken));
        entries.addAll(refused);
    }

    private String judge(Device device) {
        if (device == null) {
            return "its list of devices has a null in it, which was left out; repair or replace the provider";
        }
        if (device.name().isBlank()) {
            return "a device without a name was left out; repair or replace the provider";
        }
        Found first = names.get(device.name());
        if (first == null) {
            return "";
        }
        return "its device " + device.name() + " was left out: provider '"
                + first.identity().name() + "' (" + first.identity().className()
                + ") has given a device of that name before; rename one, or exclude a provider with -D"
                + ExcludeList.PROPERTY;
    }

    private void setAside(Found found, String reason) {
        entries.add(new ProviderReport.Entry(found.identity(), reason, List.of()));
    }
}
