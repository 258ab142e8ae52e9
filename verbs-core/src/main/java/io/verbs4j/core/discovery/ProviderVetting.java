/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import io.verbs4j.VerbsLevel;
import io.verbs4j.core.base.Containment;
import io.verbs4j.core.base.HeaderCheck;
import io.verbs4j.core.base.LibraryLevel;
import io.verbs4j.core.base.Misfit;
import io.verbs4j.core.base.Origin;
import io.verbs4j.core.base.Printable;
import io.verbs4j.core.base.ProviderIdentity;
import io.verbs4j.spi.ExtendedProvider;
import io.verbs4j.spi.VerbsProvider;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/**
 * Creates one provider and checks what it reports about itself. Whatever it does, the others keep working. The
 * provider's own code runs within a {@link ProviderCall}.
 */
final class ProviderVetting implements Supplier<DiscoveredProvider> {
    /** The lowest level of a provider that this library works with. */
    private static final int MINIMUM_PROVIDER_LEVEL = 1;

    private final ServiceLoader.Provider<VerbsProvider> registered;
    private final String className;

    // Read by another thread if the provider does not return.
    private volatile String step = "its constructor";
    private volatile String name = ProviderIdentity.UNKNOWN;
    private volatile int level;
    private volatile int minimumLibraryLevel;

    private ProviderVetting(ServiceLoader.Provider<VerbsProvider> registered) {
        this.registered = registered;
        className = registered.type().getName();
    }

    static DiscoveredProvider vet(ServiceLoader.Provider<VerbsProvider> registered, Asker asker) {
        ProviderVetting vetting = new ProviderVetting(registered);
        ProviderCall<DiscoveredProvider> call = asker.ask(vetting.className, vetting);
        return call.isDone()
                ? call.answer()
                : DiscoveredProvider.setAside(vetting.identity(), asker.limit().exceeded(vetting.step, call));
    }

    /** Creates the provider and checks it. */
    @Override
    public DiscoveredProvider get() {
        VerbsProvider provider = null;
        String reason;
        try {
            provider = registered.get();
            step = "name()";
            String told = provider.name();
            step = "level()";
            level = provider.level();
            step = "minimumLibraryLevel()";
            minimumLibraryLevel = provider.minimumLibraryLevel();
            reason = judge(told, provider);
        } catch (Throwable t) {
            reason = failure(step, t, level);
        }
        return reason.isEmpty()
                ? DiscoveredProvider.usable(identity(), provider)
                : DiscoveredProvider.setAside(identity(), reason);
    }

    private ProviderIdentity identity() {
        return new ProviderIdentity(name, className, registered.type(), level, minimumLibraryLevel);
    }

    private String judge(String told, VerbsProvider provider) {
        if (told == null || !isName(told)) {
            return "its name is " + (told == null ? "null" : "'" + Printable.line(told) + "'")
                    + "; it must consist of lower-case letters, digits and hyphens";
        }
        name = told;
        if (level < MINIMUM_PROVIDER_LEVEL) {
            return "it was written for level " + level + "; this library supports providers from level "
                    + MINIMUM_PROVIDER_LEVEL;
        }
        if (minimumLibraryLevel < 1 || minimumLibraryLevel > level) {
            return "its minimumLibraryLevel is " + minimumLibraryLevel + "; it must be 1 to its level, " + level;
        }
        String tooOld = minimumLibraryLevel <= LibraryLevel.CURRENT
                ? ""
                : "library too old: needs level " + minimumLibraryLevel + ", verbs-core from "
                        + Origin.of(LibraryLevel.class) + " is level " + LibraryLevel.CURRENT
                        + "; use a newer verbs-core";
        if (level > VerbsLevel.runtime()) {
            String header = HeaderCheck.mismatch("it was written for level " + level, level);
            return tooOld.isEmpty() ? header : header + ". Also, " + tooOld;
        }
        if (!tooOld.isEmpty()) {
            return tooOld;
        }
        if (level < VerbsLevel.EXTENDED && isExtended(provider)) {
            return "it reports level " + level + ", but is an ExtendedProvider, which was added in level "
                    + VerbsLevel.EXTENDED + "; its level() must return the level that it was written for";
        }
        return "";
    }

    private static boolean isName(String told) {
        for (int i = 0; i < told.length(); i++) {
            char c = told.charAt(i);
            if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-') {
                return false;
            }
        }
        return !told.isEmpty();
    }

    /** An older header lacks the type, so no provider can be of it. */
    private static boolean isExtended(VerbsProvider provider) {
        return VerbsLevel.runtime() >= VerbsLevel.EXTENDED && provider instanceof ExtendedProvider;
    }

    /**
     * Describes what the provider threw.
     *
     * @param level the level that it reports, or 0 if it was not asked yet
     */
    static String failure(String step, Throwable thrown, int level) {
        Throwable cause = thrown;
        while (cause.getCause() != null
                && (cause instanceof ServiceConfigurationError || cause instanceof ExceptionInInitializerError)) {
            cause = cause.getCause();
        }
        return step + " failed with " + Containment.describe(cause) + "; " + remedy(cause, level);
    }

    private static String remedy(Throwable cause, int level) {
        if (cause instanceof OutOfMemoryError) {
            return "if it needs that much, give the JVM more memory; otherwise fix or replace the provider, or exclude"
                    + " it with -D" + ExcludeList.PROPERTY;
        }
        if (cause instanceof UnsatisfiedLinkError) {
            return "install the native library that it needs, for this machine (" + System.getProperty("os.arch")
                    + "), or exclude it with -D" + ExcludeList.PROPERTY;
        }
        if (cause instanceof UnsupportedClassVersionError) {
            return "it was built for a newer Java than this one, " + System.getProperty("java.specification.version")
                    + ": run with that Java, or use a build of the provider for this one";
        }
        if (cause instanceof ClassFormatError) {
            return "its class file is damaged: download the provider's jar again";
        }
        String misfit = Misfit.words(cause, level);
        if (!misfit.isEmpty()) {
            return misfit;
        }
        if (cause instanceof LinkageError) {
            return "a class that it needs is missing or has a different version: put its dependencies on the path, in"
                    + " the versions that it was built with";
        }
        if (cause instanceof NoSuchMethodException) {
            return "a provider needs a public constructor without arguments: fix or replace it";
        }
        return "fix or replace the provider, or exclude it with -D" + ExcludeList.PROPERTY;
    }
}
