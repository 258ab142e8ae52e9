/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.core.ProviderReport;
import java.util.List;

/**
 * The state of a provider.
 *
 * @param name its name, or its class if it has none
 * @param className its class
 * @param location the jar or folder that it came from
 * @param level the level it was written for; 0 if unknown
 * @param minimumLibraryLevel the lowest library level that it works with; 0 if unknown
 * @param used whether its devices are in use
 * @param reason why it was set aside; empty if it is in use
 * @param deviceNames its devices
 */
public record ProviderState(
        String name,
        String className,
        String location,
        int level,
        int minimumLibraryLevel,
        boolean used,
        String reason,
        List<String> deviceNames) {

    static ProviderState of(ProviderReport.Entry entry) {
        return new ProviderState(
                text(entry.name()).isEmpty() ? text(entry.className()) : entry.name(),
                text(entry.className()),
                text(entry.location()),
                entry.level(),
                entry.minimumLibraryLevel(),
                entry.used(),
                text(entry.reason()),
                List.copyOf(entry.deviceNames()));
    }

    private static String text(Object value) {
        return value == null ? "" : value.toString();
    }
}
