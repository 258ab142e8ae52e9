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
 * <p>They are looked for through the context class loader of the thread, and through the library's own class loader where
 * the other does not lead to it. The order is that of {@link ServiceLoader}: modules first, then the class path in its
 * order. A class that both loaders give is taken once.
 */
public final class Discovery implements Consumer<ServiceLoader.Provider<VerbsProvider>> {
    /**
     * As many errors of one ServiceLoader are taken beside one for each registration: one that is broken gives the same for
     * ever.
     */
    private static final int MORE_ERRORS = 64;

    /** As many errors of one ServiceLoader have an entry of their own. */
    private static final int MAX_TOLD = 1000;

    private final ExcludeList excluded;
    private final Asker asker;
    private final List<Found> found = new ArrayList<>();
    private final Set<Class<?>> types = new HashSet<>();
    private final Map<String, ProviderIdentity> names = new HashMap<>();

    private Discovery(ExcludeList excluded, Asker asker) {
        this.excluded = excluded;
        this.asker = asker;
    }

    /**
     * Finds the providers, in order, those that are set aside among them.
     *
     * @param limit how long each provider is waited for
     * @param contextLoader first class loader, or null
     * @param ownLoader the library's
     */
    public static List<Found> run(
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
        Registrations registrations = null; // read where there are errors
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

    /** Takes what is registered. */
    @Override
    public void accept(ServiceLoader.Provider<VerbsProvider> registered) {
        Class<?> type = registered.type();
        if (!types.add(type)) {
            return;
        }
        if (excluded.contains(type.getName())) {
            found.add(Found.setAside(ProviderIdentity.unnamed(type.getName(), Origin.of(type)), ExcludeList.REASON));
            return;
        }
        found.add(withUniqueName(ProviderVetting.vet(registered, asker)));
    }

    private Found withUniqueName(Found candidate) {
        if (!candidate.usable()) {
            return candidate;
        }
        ProviderIdentity identity = candidate.identity();
        ProviderIdentity first = names.putIfAbsent(identity.name(), identity);
        if (first == null) {
            return candidate;
        }
        return Found.setAside(
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
            Found entry = Found.setAside(culprit, reason);
            // Both loaders may tell the same.
            if (!found.contains(entry)) {
                found.add(entry);
            }
        }
        if (givenUp) {
            found.add(unknown("the search was given up after " + errors.size()
                    + " errors; repair what the entries above tell, providers may be missing"));
        } else if (told < errors.size()) {
            found.add(unknown(errors.size() - told + " more could not be loaded; repair what the entries above tell"));
        }
    }

    private static Found unknown(String reason) {
        return Found.setAside(ProviderIdentity.unnamed(ProviderIdentity.UNKNOWN, Origin.UNKNOWN), reason);
    }

    /** A class that is not found though its file is there: the JVM does not tell that the jar is at fault. */
    private static String damaged(ClassLoader loader, ProviderIdentity culprit, Throwable error) {
        boolean notFound = error instanceof ServiceConfigurationError
                && String.valueOf(error.getMessage()).endsWith(" not found");
        boolean there = loader.getResource(culprit.className().replace('.', '/') + ".class") != null;
        return notFound && there
                ? ". Its class file is there but can't be taken from the jar, whose manifest may be damaged: fetch it again"
                : "";
    }
}
