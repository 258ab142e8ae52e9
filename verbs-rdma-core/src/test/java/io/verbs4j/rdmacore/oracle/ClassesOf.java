/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The classes beside a class, in the same folder or jar. */
public final class ClassesOf {
    private ClassesOf() {}

    /** {@return the folder or jar of a class} */
    public static Path origin(Class<?> one) {
        try {
            return Path.of(
                    one.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@return all classes in the package of a class and in the packages below, including nested ones} */
    public static List<Class<?>> packageOf(Class<?> one) {
        String folder = one.getPackageName().replace('.', '/');
        Path origin = origin(one);
        try {
            if (Files.isDirectory(origin)) {
                return below(origin, origin.resolve(folder));
            }
            try (FileSystem jar = FileSystems.newFileSystem(origin)) {
                Path root = jar.getPath("/");
                return below(root, root.resolve(folder));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Class<?>> below(Path root, Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
                    .sorted()
                    .<Class<?>>map(name -> load(name.substring(0, name.length() - 6)))
                    .toList();
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name.replace('/', '.'), false, ClassesOf.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
