/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import io.verbs4j.core.base.Containment;
import io.verbs4j.core.base.Origin;
import io.verbs4j.core.base.ProviderIdentity;
import io.verbs4j.spi.VerbsProvider;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.Consumer;

/**
 * Finds the providers.
 *
 * <p>Searches with the thread's context class loader, and with the library's own class loader if the former does not
 * lead to it. The order is that of {@link ServiceLoader}: modules first, then the class path in its order. A class that
 * both loaders find is taken once.
 */
public final class Discovery implements Consumer<ServiceLoader.Provider<VerbsProvider>> {
    /**
     * Limits the errors taken from one ServiceLoader, in addition to one for each registration: a broken loader reports
     * the same error for ever.
     */
    private static final int MORE_ERRORS = 64;

    /** Limits the errors of one ServiceLoader that get an entry of their own. */
    private static final int MAX_TOLD = 1000;

    private final ExcludeList excluded;
    private final Asker asker;
    private final List<DiscoveredProvider> found = new ArrayList<>();
    private final Set<Class<?>> types = new HashSet<>();
    private final Map<String, ProviderIdentity> names = new HashMap<>();

    private Discovery(ExcludeList excluded, Asker asker) {
        this.excluded = excluded;
        this.asker = asker;
    }

    /**
     * Finds the providers, in order, including those that are set aside.
     *
     * @param limit how long to wait for each provider
     * @param contextLoader first class loader, or null
     * @param ownLoader the library's
     */
    public static List<DiscoveredProvider> run(
            ExcludeList excluded, TimeLimit limit, ClassLoader contextLoader, ClassLoader ownLoader) {
        try (Asker asker = new Asker(limit)) {
            Discovery discovery = new Discovery(excluded, asker);
            if (contextLoader != null) {
                discovery.search(contextLoader);
            }
            if (!leadsTo(contextLoader, ownLoader)) {
                discovery.search(ownLoader);
            }
            return discovery.found;
        }
    }

    private static boolean leadsTo(ClassLoader from, ClassLoader to) {
        for (ClassLoader loader = from; loader != null; loader = loader.getParent()) {
            if (loader == to) {
                return true;
            }
        }
        return false;
    }

    private void search(ClassLoader loader) {
        List<Throwable> errors = new ArrayList<>();
        Registrations registrations = null; // read at the first error
        int left = MORE_ERRORS;
        Spliterator<ServiceLoader.Provider<VerbsProvider>> registered =
                ServiceLoader.load(VerbsProvider.class, loader).stream().spliterator();
        boolean more = true;
        while (more && left > 0) {
            try {
                more = registered.tryAdvance(this);
            } catch (Throwable t) {
                Containment.rethrowFatal(t);
                if (registrations == null) {
                    registrations = new Registrations(loader);
                    left += registrations.count();
                }
                left--;
                errors.add(t);
            }
        }
        if (registrations != null) {
            explain(loader, registrations, errors, more);
        }
    }

    /** Takes one registered provider. */
    @Override
    public void accept(ServiceLoader.Provider<VerbsProvider> registered) {
        Class<?> type = registered.type();
        if (!types.add(type)) {
            return;
        }
        if (excluded.contains(type.getName())) {
            found.add(DiscoveredProvider.setAside(
                    ProviderIdentity.unnamed(type.getName(), Origin.of(type)), ExcludeList.REASON));
            return;
        }
        found.add(withUniqueName(ProviderVetting.vet(registered, asker)));
    }

    private DiscoveredProvider withUniqueName(DiscoveredProvider candidate) {
        if (!candidate.usable()) {
            return candidate;
        }
        ProviderIdentity identity = candidate.identity();
        ProviderIdentity first = names.putIfAbsent(identity.name(), identity);
        if (first == null) {
            return candidate;
        }
        return DiscoveredProvider.setAside(
                identity,
                "another provider has the name '" + first.name() + "': " + first.className() + " from "
                        + first.location() + "; remove one of them or exclude it with -D" + ExcludeList.PROPERTY);
    }

    private void explain(ClassLoader loader, Registrations registrations, List<Throwable> errors, boolean givenUp) {
        int told = Math.min(errors.size(), MAX_TOLD);
        for (Throwable error : errors.subList(0, told)) {
            ProviderIdentity culprit = registrations.culprit(error);
            String reason = excluded.contains(culprit.className())
                    ? ExcludeList.REASON
                    : ProviderVetting.failure("loading it", error, 0) + damaged(loader, culprit, error);
            DiscoveredProvider entry = DiscoveredProvider.setAside(culprit, reason);
            // Both loaders may report the same.
            if (!found.contains(entry)) {
                found.add(entry);
            }
        }
        if (givenUp) {
            found.add(unknown("the search stopped after " + errors.size()
                    + " errors; fix the problems listed above, providers may be missing"));
        } else if (told < errors.size()) {
            found.add(unknown(errors.size() - told + " more could not be loaded; fix the problems listed above"));
        }
    }

    private static DiscoveredProvider unknown(String reason) {
        return DiscoveredProvider.setAside(ProviderIdentity.unnamed(ProviderIdentity.UNKNOWN, Origin.UNKNOWN), reason);
    }

    /** Recognises a class that is not found although its file exists: the JVM does not say that the jar is damaged. */
    private static String damaged(ClassLoader loader, ProviderIdentity culprit, Throwable error) {
        boolean notFound = error instanceof ServiceConfigurationError
                && String.valueOf(error.getMessage()).endsWith(" not found");
        boolean there = loader.getResource(culprit.className().replace('.', '/') + ".class") != null;
        return notFound && there
                ? ". Its class file exists but can't be read from the jar, whose manifest may be damaged: download"
                        + " the jar again"
                : "";
    }
}
