/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.Device;
import io.verbs4j.NodeType;
import io.verbs4j.VerbsException;
import io.verbs4j.tools.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The device list: what {@code ibv_devices} prints, plus provider and kind; the default device and why; the providers
 * that were set aside, and warnings of providers.
 */
public final class DeviceList {
    /** Property of the library that names the default device. */
    private static final String DEVICE_PROPERTY = "io.verbs4j.device";

    private final Devices devices;
    private final List<String> warnings;

    /** Creates a list. */
    public DeviceList(Devices devices) {
        this.devices = devices;
        this.warnings = devices.warnings();
    }

    /** {@return the list for people} */
    public String text() {
        StringBuilder out = new StringBuilder();
        line(out, "device", "   node GUID", "kind", "provider");
        line(out, "------", "----------------", "----", "--------");
        for (Device device : devices.list()) {
            line(
                    out,
                    Printable.of(device.name()),
                    String.format(Locale.ROOT, "%016x", device.guid()),
                    Names.kind(device.kind()),
                    providerOf(device));
        }
        Map<String, Object> chosen = chosen();
        out.append("\ndefault: ");
        out.append(
                chosen.get("device") == null
                        ? "none"
                        : Printable.of(chosen.get("device").toString()));
        out.append(", ").append(Printable.of(chosen.get("because").toString())).append('\n');
        List<ProviderState> aside =
                devices.providers().stream().filter(p -> !p.used()).toList();
        if (!aside.isEmpty()) {
            out.append("\nset aside:\n");
            for (ProviderState provider : aside) {
                out.append("    ").append(provider.name());
                if (!provider.location().isEmpty()) {
                    out.append(" (").append(provider.location()).append(')');
                }
                out.append(": ").append(provider.reason()).append('\n');
            }
        }
        if (!warnings.isEmpty()) {
            out.append("\nwarnings:\n");
            warnings.forEach(
                    warning -> out.append("    ").append(Printable.of(warning)).append('\n'));
        }
        return out.toString();
    }

    private static void line(StringBuilder out, String name, String guid, String kind, String provider) {
        out.append(String.format(Locale.ROOT, "    %-16s\t%-16s\t%-8s\t%s%n", name, guid, kind, provider));
    }

    /** {@return the default device, and why it is the default} */
    private Map<String, Object> chosen() {
        Map<String, Object> map = new LinkedHashMap<>();
        String named = System.getProperty(DEVICE_PROPERTY);
        try {
            map.put("device", devices.defaultDevice().name());
            map.put(
                    "because",
                    named == null || named.isBlank()
                            ? "the first with an active port; -D" + DEVICE_PROPERTY + "=NAME takes another"
                            : "which " + DEVICE_PROPERTY + " names");
        } catch (VerbsException e) {
            map.put("device", null);
            map.put("because", e.getMessage().lines().findFirst().orElse(""));
        }
        return map;
    }

    /** {@return the list for programs} */
    public Map<String, Object> json() {
        List<Object> found = new ArrayList<>();
        for (Device device : devices.list()) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("name", device.name());
            map.put("nodeGuid", String.format(Locale.ROOT, "%016x", device.guid()));
            map.put("nodeType", NodeType.toString(device.nodeType()));
            map.put("transport", Names.transport(device.transportType()));
            map.put("kind", Names.kind(device.kind()));
            map.put("provider", providerOf(device));
            found.add(map);
        }
        List<Object> providers = new ArrayList<>();
        for (ProviderState provider : devices.providers()) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("name", provider.name());
            map.put("class", provider.className());
            map.put("location", provider.location());
            map.put("level", provider.level());
            map.put("minimumLibraryLevel", provider.minimumLibraryLevel());
            map.put("used", provider.used());
            map.put("reason", provider.reason().isEmpty() ? null : provider.reason());
            map.put("devices", provider.deviceNames());
            providers.add(map);
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("devices", found);
        all.put("default", chosen());
        all.put("providers", providers);
        all.put("warnings", warnings);
        return all;
    }

    private String providerOf(Device device) {
        return devices.providers().stream()
                .filter(p -> p.used() && p.deviceNames().contains(device.name()))
                .map(ProviderState::name)
                .findFirst()
                .orElse("?");
    }
}
