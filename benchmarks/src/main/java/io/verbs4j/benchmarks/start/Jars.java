/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.start;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Folders of classes as jars, as programs have them; an archive of classes can be made of those alone. */
final class Jars {
    private Jars() {}

    /** A class path with the same classes, whose folders are jars in a folder. */
    static String of(String classPath, Path into) throws IOException {
        List<String> path = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            Path folder = Path.of(entry);
            if (Files.isDirectory(folder)) {
                Path jar = into.resolve(path.size() + ".jar");
                pack(folder, jar);
                path.add(jar.toString());
            } else {
                path.add(entry);
            }
        }
        return String.join(File.pathSeparator, path);
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
