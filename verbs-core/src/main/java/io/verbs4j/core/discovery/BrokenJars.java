/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import io.verbs4j.core.base.ProviderIdentity;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipFile;

/** Unreadable jars on the class path: the JVM skips them silently, so the providers in them are missing. */
final class BrokenJars {
    private BrokenJars() {}

    static List<DiscoveredProvider> on(String classPath) {
        List<DiscoveredProvider> broken = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            File file = new File(entry);
            if (!entry.toLowerCase(Locale.ROOT).endsWith(".jar") || !file.isFile()) {
                continue;
            }
            // Intact jars are open already: this finds their directory in the JVM's cache.
            try (ZipFile jar = new ZipFile(file)) {
                assert jar.size() >= 0;
            } catch (IOException e) {
                broken.add(DiscoveredProvider.setAside(
                        ProviderIdentity.unnamed(ProviderIdentity.UNKNOWN, file.getPath()),
                        "it can't be read as a jar (" + e.getMessage() + "), so providers in it are not found;"
                                + " download it again, or remove it from the class path"));
            }
        }
        return broken;
    }
}
