/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.api;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The incompatible changes that a release must not make to an earlier one. japicmp finds changes that break programs;
 * this project adds stricter rules: see "Rules of evolution" in the design.
 */
public final class ApiGate {
    /**
     * Types that providers and the library share, or whose shape later levels build on. An addition, with or without a
     * body, would break code compiled without it, or change its meaning.
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

    /** The package of the types in the slots. They are frozen with the level that introduced them. */
    private static final String SLOTS = "io.verbs4j.slot.";

    private ApiGate() {}

    /** {@return the incompatible changes from the old release to the new one, one per line; empty if there are none} */
    static List<String> violations(Release old, Release now) {
        ApiSurface oldCore = ApiSurface.of(old.core());
        ApiSurface newCore = ApiSurface.of(now.core());

        List<String> found = new ArrayList<>(violationsOfHeader(old.spi(), now.spi()));
        found.addAll(Japicmp.violations("verbs-core", old.core(), now.core(), List.of(old.spi()), List.of(now.spi())));
        found.addAll(oldCore.additions(newCore).stream()
                .map(line -> "verbs-core: its exports must not grow: added " + line)
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

    /** Checks the API for programs, and that provider interfaces get no new abstract methods. */
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
     * {@return the incompatible changes in the vendors' packages since the previous release, where removed members must
     * have been deprecated for one release; empty if the old release was kept without these packages}
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

    /** The same, for the header alone. */
    public static List<String> violationsOfHeader(Path old, Path now) {
        ApiSurface oldSpi = ApiSurface.of(old);
        ApiSurface newSpi = ApiSurface.of(now);
        List<String> found = new ArrayList<>(Japicmp.violations("verbs-spi", old, now, List.of(), List.of()));
        for (String type : frozenTypes(oldSpi)) {
            found.addAll(oldSpi.differences(newSpi, type).stream()
                    .map(line -> "verbs-spi: " + type + " is frozen forever, without additions: " + line)
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

    /** {@return the frozen types that a release has; some came with level 2} */
    static List<String> frozenTypes(ApiSurface old) {
        return old.types().keySet().stream()
                .filter(type -> UNCHANGEABLE.contains(type) || type.startsWith(SLOTS))
                .toList();
    }
}
