/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.Device;
import io.verbs4j.NodeType;
import io.verbs4j.tools.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@code ibv_devices} prints, the provider beside it, what was set aside, and what providers warn of. */
public final class DeviceList {
    private final Devices devices;
    private final List<String> warnings;

    /** Creates the list of some devices. */
    public DeviceList(Devices devices) {
        this.devices = devices;
        this.warnings = devices.warnings();
    }

    /** The list for people. */
    public String text() {
        StringBuilder out = new StringBuilder();
        line(out, "device", "   node GUID", "provider");
        line(out, "------", "----------------", "--------");
        for (Device device : devices.list()) {
            line(
                    out,
                    Printable.of(device.name()),
                    String.format(Locale.ROOT, "%016x", device.guid()),
                    providerOf(device));
        }
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

    private static void line(StringBuilder out, String name, String guid, String provider) {
        out.append(String.format(Locale.ROOT, "    %-16s\t%-16s\t%s%n", name, guid, provider));
    }

    /** The list for programs. */
    public Map<String, Object> json() {
        List<Object> found = new ArrayList<>();
        for (Device device : devices.list()) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("name", device.name());
            map.put("nodeGuid", String.format(Locale.ROOT, "%016x", device.guid()));
            map.put("nodeType", NodeType.toString(device.nodeType()));
            map.put("transport", Names.transport(device.transportType()));
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
