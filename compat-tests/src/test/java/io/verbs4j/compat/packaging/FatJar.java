/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.packaging;

import io.verbs4j.compat.built.JarContent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Combines several jars into one, as shading tools do: of files with the same name, the first is kept or all are
 * merged.
 */
final class FatJar {
    static final String PROVIDERS = "META-INF/services/io.verbs4j.spi.VerbsProvider";
    static final String CLAIMS = "META-INF/services/io.verbs4j.rdmacore.NativeClaim";

    private FatJar() {}

    /**
     * Creates the jar.
     *
     * @param jar where to write it
     * @param manifest lines of its manifest
     * @param merged the files to merge
     * @param parts the jars or folders, in order
     */
    static Path of(Path jar, List<String> manifest, Set<String> merged, List<Path> parts) {
        JarContent all = JarContent.of(parts.get(0));
        Set<String> names = new HashSet<>(all.names());
        for (Path part : parts.subList(1, parts.size())) {
            JarContent content = JarContent.of(part);
            for (String name : content.names()) {
                if (names.add(name)) {
                    all.put(name, content.bytes(name));
                } else if (merged.contains(name)) {
                    all.put(name, bytes(all.text(name) + "\n" + content.text(name)));
                }
            }
        }
        String lines = "Manifest-Version: 1.0\n" + String.join("\n", manifest) + "\n";
        return all.put("META-INF/MANIFEST.MF", bytes(lines)).writeTo(jar);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
