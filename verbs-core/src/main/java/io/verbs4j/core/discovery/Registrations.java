/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import io.verbs4j.core.base.Containment;
import io.verbs4j.core.base.Origin;
import io.verbs4j.core.base.ProviderIdentity;
import io.verbs4j.spi.VerbsProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The registrations on the class path, read again, because ServiceLoader's errors do not always name the provider, and
 * never the place of its registration.
 */
final class Registrations {
    private static final String FILE = "META-INF/services/" + VerbsProvider.class.getName();

    /** The rest of a file is ignored. */
    private static final int MOST_BYTES = 1 << 20;

    private final ClassLoader loader;
    private int count;

    /** The place of each registration that no error was attributed to yet. */
    private final Map<String, String> registered = new LinkedHashMap<>();

    Registrations(ClassLoader loader) {
        this.loader = loader;
        try {
            Enumeration<URL> files = loader.getResources(FILE);
            while (files.hasMoreElements()) {
                read(files.nextElement());
            }
        } catch (IOException | RuntimeException | Error e) {
            Containment.rethrowFatal(e);
            registered.clear(); // reports go without; ServiceLoader reports the same failure
        }
    }

    /** The number of lines that name a class. */
    int count() {
        return count;
    }

    private void read(URL file) throws IOException {
        URLConnection connection = file.openConnection();
        connection.setUseCaches(false); // leaves no jar open
        byte[] content;
        try (InputStream in = connection.getInputStream()) {
            content = in.readNBytes(MOST_BYTES);
        }
        String jar = Origin.of(file, FILE);
        new String(content, StandardCharsets.UTF_8).lines().forEach(line -> {
            int comment = line.indexOf('#');
            String name = (comment < 0 ? line : line.substring(0, comment)).trim();
            if (!name.isEmpty()) {
                count++;
                registered.putIfAbsent(name, jar);
            }
        });
    }

    /** The provider that an error of ServiceLoader is about, if that can be found out. */
    ProviderIdentity culprit(Throwable error) {
        String words = Containment.describe(error);
        for (String name : registered.keySet()) {
            if (words.contains(name) && names(words, name) || error instanceof LinkageError && breaksLinking(name)) {
                return ProviderIdentity.unnamed(name, registered.remove(name));
            }
        }
        return ProviderIdentity.unnamed(ProviderIdentity.UNKNOWN, Origin.UNKNOWN);
    }

    private static boolean names(String words, String className) {
        return Pattern.compile("(?<![\\w.$])" + Pattern.quote(className) + "(?![\\w.$])")
                .matcher(words)
                .find();
    }

    private boolean breaksLinking(String className) {
        try {
            Class.forName(className, false, loader);
            return false;
        } catch (ClassNotFoundException e) {
            return false; // ServiceLoader itself names such a class
        } catch (LinkageError e) {
            return true;
        }
    }
}
