/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.start;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Packs folders of classes into jars, as programs have them; only jars can be put into an archive of classes. */
final class Jars {
    private Jars() {}

    /** Returns a class path for the given classes. Folders are packed into jars in {@code into}. */
    static String of(List<String> classes, Path into) throws ReflectiveOperationException, IOException {
        Set<String> path = new LinkedHashSet<>();
        for (String name : classes) {
            Path from = origin(Class.forName(name, false, Jars.class.getClassLoader()));
            Path jar = into.resolve(path.size() + ".jar");
            if (Files.isDirectory(from)) {
                pack(from, jar);
            } else {
                jar = from;
            }
            path.add(jar.toString());
        }
        return String.join(File.pathSeparator, path);
    }

    private static Path origin(Class<?> type) {
        return Path.of(URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    private static void pack(Path folder, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                out.putNextEntry(new ZipEntry(folder.relativize(file).toString().replace(File.separatorChar, '/')));
                Files.copy(file, out);
            }
        }
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
