/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.api;

import io.verbs4j.compat.built.BuiltModules;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A provider exports nothing. Others know only its class name, which io.verbs4j.exclude takes. */
final class Registrations {
    private Registrations() {}

    static List<String> violations(String artifact, Path old, Path now) {
        Set<String> gone = services(old);
        gone.removeAll(services(now));
        return gone.stream()
                .map(service -> artifact + ": no longer provides " + service
                        + "; a provider's class keeps its name, because users exclude it by that name")
                .toList();
    }

    private static Set<String> services(Path jar) {
        Set<String> services = new TreeSet<>();
        for (ModuleDescriptor.Provides provides : BuiltModules.descriptorIn(jar).provides()) {
            provides.providers().forEach(name -> services.add(provides.service() + " with " + name));
        }
        return services;
    }
}
