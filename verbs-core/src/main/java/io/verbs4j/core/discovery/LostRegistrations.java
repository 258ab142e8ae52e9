/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import io.verbs4j.core.base.Origin;
import io.verbs4j.core.base.ProviderIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Providers of this project that are on the path but not registered, or registered without their claim. This happens
 * when jars are merged and their services files are not: nothing fails, but devices are missing.
 */
final class LostRegistrations {
    private static final String SERVICES = "META-INF/services/";
    private static final String PROVIDERS = "io.verbs4j.spi.VerbsProvider";
    private static final String CLAIMS = "io.verbs4j.rdmacore.NativeClaim";
    private static final int MOST_BYTES = 1 << 20;

    private static final String REMEDY =
            "a jar made from several jars must merge both services files, " + PROVIDERS + " and " + CLAIMS
                    + " (maven-shade-plugin: ServicesResourceTransformer); or put the provider's own jar on the path";

    /**
     * A provider of this project.
     *
     * @param className its class
     * @param claim the class that says which native devices are its own; "" if there is none
     */
    private record Known(String className, String claim) {}

    private static final List<Known> KNOWN = List.of(
            new Known("io.verbs4j.provider.mlx5.Mlx5Provider", "io.verbs4j.provider.mlx5.Mlx5Provider"),
            new Known("io.verbs4j.provider.efa.EfaProvider", "io.verbs4j.provider.efa.EfaProvider"),
            new Known("io.verbs4j.provider.gaudi.GaudiProvider", "io.verbs4j.provider.gaudi.GaudiProvider"),
            new Known("io.verbs4j.rdmacore.RdmaCoreProvider", ""),
            new Known("io.verbs4j.provider.rxe.RxeProvider", "io.verbs4j.provider.rxe.KernelDevices"));

    private LostRegistrations() {}

    /**
     * Looks for the files of the classes; loads nothing.
     *
     * @param loader where to look; null finds nothing
     * @param told the classes that the report already has
     * @param used those of them that are used
     */
    static List<DiscoveredProvider> in(ClassLoader loader, Collection<String> told, Collection<String> used) {
        List<DiscoveredProvider> lost = new ArrayList<>();
        if (loader == null) {
            return lost;
        }
        Set<String> claims = registered(loader, CLAIMS);
        boolean generic = resource(loader, CLAIMS) != null;
        for (Known known : KNOWN) {
            URL file = resource(loader, known.className());
            if (file == null || file.getProtocol().equals("jrt")) {
                continue; // a run-time image has modules, which register by their descriptors
            }
            ProviderIdentity identity =
                    ProviderIdentity.unnamed(known.className(), Origin.of(file, fileOf(known.className())));
            if (!told.contains(known.className())) {
                lost.add(DiscoveredProvider.setAside(
                        identity,
                        "its class is on the path, but no file " + SERVICES + PROVIDERS
                                + " names it, so it is not found; " + REMEDY));
            } else if (generic
                    && !known.claim().isEmpty()
                    && used.contains(known.className())
                    && !claims.contains(known.claim())) {
                lost.add(DiscoveredProvider.setAside(
                        identity,
                        "no file " + SERVICES + CLAIMS + " names " + known.claim()
                                + ", so the generic provider takes its devices first; " + REMEDY));
            }
        }
        return lost;
    }

    private static String fileOf(String className) {
        return className.replace('.', '/') + ".class";
    }

    private static URL resource(ClassLoader loader, String className) {
        return loader.getResource(fileOf(className));
    }

    private static Set<String> registered(ClassLoader loader, String service) {
        Set<String> names = new HashSet<>();
        try {
            Enumeration<URL> files = loader.getResources(SERVICES + service);
            while (files.hasMoreElements()) {
                URLConnection connection = files.nextElement().openConnection();
                connection.setUseCaches(false); // leaves no jar open
                try (InputStream in = connection.getInputStream()) {
                    new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8)
                            .lines()
                            .map(line -> line.replaceFirst("#.*", "").trim())
                            .forEach(names::add);
                }
            }
        } catch (IOException e) {
            names.clear(); // registrations unknown: at worst the report has a needless hint
        }
        return names;
    }
}
