/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.spi.VerbsProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The registrations on the class path, read once more: ServiceLoader's errors do not always name the provider, and never
 * where it is registered.
 */
final class Registrations {
    private static final String FILE = "META-INF/services/" + VerbsProvider.class.getName();

    private final ClassLoader loader;

    /** Where each class is registered that no error was put down to yet. */
    private final Map<String, String> registered = new LinkedHashMap<>();

    Registrations(ClassLoader loader) {
        this.loader = loader;
        try {
            Enumeration<URL> files = loader.getResources(FILE);
            while (files.hasMoreElements()) {
                read(files.nextElement());
            }
        } catch (IOException e) {
            registered.clear(); // then reports do without; ServiceLoader tells of the same
        }
    }

    private void read(URL file) throws IOException {
        URLConnection connection = file.openConnection();
        connection.setUseCaches(false); // leaves no jar open
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int comment = line.indexOf('#');
                String name = (comment < 0 ? line : line.substring(0, comment)).trim();
                if (!name.isEmpty()) {
                    registered.putIfAbsent(name, Origin.of(file, FILE));
                }
            }
        }
    }

    /** The provider that an error of ServiceLoader is about, as far as that can be found out. */
    ProviderIdentity culprit(Throwable error) {
        for (String name : registered.keySet()) {
            if (names(error, name) || error instanceof LinkageError && breaksLinking(name)) {
                return ProviderIdentity.unnamed(name, registered.remove(name));
            }
        }
        return ProviderIdentity.unnamed(ProviderIdentity.UNKNOWN, Origin.UNKNOWN);
    }

    private static boolean names(Throwable error, String className) {
        return Pattern.compile("(?<![\\w.$])" + Pattern.quote(className) + "(?![\\w.$])")
                .matcher(Containment.describe(error))
                .find();
    }

    private boolean breaksLinking(String className) {
        try {
            Class.forName(className, false, loader);
            return false;
        } catch (ClassNotFoundException e) {
            return false; // ServiceLoader names such a one itself
        } catch (LinkageError e) {
            return true;
        }
    }
}
