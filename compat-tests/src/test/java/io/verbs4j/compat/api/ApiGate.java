/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.api;

import java.util.ArrayList;
import java.util.List;

/**
 * What a release may not do to an earlier one. japicmp finds what breaks programs; the rules of this project, which are
 * stricter, come on top: see "Rules of evolution" in the design.
 */
final class ApiGate {
    /** Providers and the library meet in these; an addition breaks those that were compiled without it. */
    private static final List<String> UNCHANGEABLE = List.of("io.verbs4j.ContextOps", "io.verbs4j.spi.VerbsProvider");

    private ApiGate() {}

    /** What the new release breaks of the old one, a line each; empty where it breaks nothing. */
    static List<String> violations(Release old, Release now) {
        ApiSurface oldSpi = ApiSurface.of(old.spi());
        ApiSurface newSpi = ApiSurface.of(now.spi());
        ApiSurface oldCore = ApiSurface.of(old.core());
        ApiSurface newCore = ApiSurface.of(now.core());

        List<String> found = new ArrayList<>();
        found.addAll(Japicmp.violations("verbs-spi", old.spi(), now.spi(), null, null));
        found.addAll(Japicmp.violations("verbs-core", old.core(), now.core(), old.spi(), now.spi()));
        for (String type : UNCHANGEABLE) {
            found.addAll(oldSpi.differences(newSpi, type).stream()
                    .map(line -> "verbs-spi: " + type + " is frozen for ever, without additions: " + line)
                    .toList());
        }
        found.addAll(oldCore.additions(newCore).stream()
                .map(line -> "verbs-core: what it exports never grows: added " + line)
                .toList());
        found.addAll(oldSpi.removedPackages(newSpi).stream()
                .map(name -> "verbs-spi: the package " + name + " is no longer exported")
                .toList());
        found.addAll(oldCore.removedPackages(newCore).stream()
                .map(name -> "verbs-core: the package " + name + " is no longer exported")
                .toList());
        found.addAll(Constants.violations("verbs-spi", oldSpi, newSpi));
        found.addAll(Constants.violations("verbs-core", oldCore, newCore));
        found.addAll(Registrations.violations("provider-rxe", old.rxe(), now.rxe()));
        return found;
    }
}
