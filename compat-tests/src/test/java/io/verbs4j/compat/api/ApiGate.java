/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.api;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a release may not do to an earlier one. japicmp finds what breaks programs; the rules of this project, which are
 * stricter, come on top: see "Rules of evolution" in the design.
 */
public final class ApiGate {
    /**
     * Providers and the library meet in these, or later levels build on their shape; an addition, with a body or without, breaks
     * those that were compiled without it, or means another thing to them.
     */
    static final List<String> UNCHANGEABLE = List.of(
            "io.verbs4j.AttrArray",
            "io.verbs4j.ContextOps",
            "io.verbs4j.ContextTable",
            "io.verbs4j.ExtendedContext",
            "io.verbs4j.InputAttr",
            "io.verbs4j.OutputAttr",
            "io.verbs4j.spi.ExtendedProvider",
            "io.verbs4j.spi.VerbsProvider");

    /** The types in this package are what is in the slots: frozen with the level that they came with. */
    private static final String SLOTS = "io.verbs4j.slot.";

    private ApiGate() {}

    /** What the new release breaks of the old one, a line each; empty where it breaks nothing. */
    static List<String> violations(Release old, Release now) {
        ApiSurface oldCore = ApiSurface.of(old.core());
        ApiSurface newCore = ApiSurface.of(now.core());

        List<String> found = new ArrayList<>(violationsOfHeader(old.spi(), now.spi()));
        found.addAll(Japicmp.violations("verbs-core", old.core(), now.core(), List.of(old.spi()), List.of(now.spi())));
        found.addAll(oldCore.additions(newCore).stream()
                .map(line -> "verbs-core: what it exports never grows: added " + line)
                .toList());
        found.addAll(oldCore.removedPackages(newCore).stream()
                .map(name -> "verbs-core: the package " + name + " is no longer exported")
                .toList());
        found.addAll(Constants.violations("verbs-core", oldCore, newCore));
        found.addAll(Registrations.violations("provider-rxe", old.rxe(), now.rxe()));
        if (old.cm() != null) {
            found.addAll(violationsOfCm(old, now));
        }
        return found;
    }

    /** Programs, and providers in whose interfaces nothing without a body may be new. */
    private static List<String> violationsOfCm(Release old, Release now) {
        List<String> found = new ArrayList<>(
                Japicmp.violations("verbs-cm", old.cm(), now.cm(), List.of(old.spi()), List.of(now.spi())));
        found.addAll(violationsOfSurface("verbs-cm", old.cm(), now.cm()));
        return found;
    }

    private static List<String> violationsOfSurface(String artifact, Path old, Path now) {
        ApiSurface before = ApiSurface.of(old);
        ApiSurface after = ApiSurface.of(now);
        List<String> found = new ArrayList<>(Constants.violations(artifact, before, after));
        before.removedPackages(after).stream()
                .map(name -> artifact + ": the package " + name + " is no longer exported")
                .forEach(found::add);
        return found;
    }

    /**
     * What the new release breaks of the vendors' packages of the one just before it: what goes from them is deprecated
     * for a release. Empty where the old release is not kept with them.
     */
    static List<String> violationsOfVendors(Release old, Release now) {
        List<String> found = new ArrayList<>();
        old.vendors().forEach((artifact, jar) -> {
            Path other = now.vendors().get(artifact);
            found.addAll(Japicmp.violationsButDeprecated(
                    artifact, jar, other, List.of(old.spi(), old.binding()), List.of(now.spi(), now.binding())));
            found.addAll(violationsOfSurface(artifact, jar, other));
            found.addAll(Registrations.violations(artifact, jar, other));
        });
        return found;
    }

    /** The same of the header alone. */
    public static List<String> violationsOfHeader(Path old, Path now) {
        ApiSurface oldSpi = ApiSurface.of(old);
        ApiSurface newSpi = ApiSurface.of(now);
        List<String> found = new ArrayList<>(Japicmp.violations("verbs-spi", old, now, List.of(), List.of()));
        for (String type : frozenTypes(oldSpi)) {
            found.addAll(oldSpi.differences(newSpi, type).stream()
                    .map(line -> "verbs-spi: " + type + " is frozen for ever, without additions: " + line)
                    .toList());
        }
        found.addAll(HandleGate.violations(old, now));
        found.addAll(DataPathGate.violations(oldSpi, newSpi));
        found.addAll(oldSpi.removedPackages(newSpi).stream()
                .map(name -> "verbs-spi: the package " + name + " is no longer exported")
                .toList());
        found.addAll(Constants.violations("verbs-spi", oldSpi, newSpi));
        return found;
    }

    /** What a release has of these: some came with level 2. */
    static List<String> frozenTypes(ApiSurface old) {
        return old.types().keySet().stream()
                .filter(type -> UNCHANGEABLE.contains(type) || type.startsWith(SLOTS))
                .toList();
    }
}
