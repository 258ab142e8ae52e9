/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The tables of a module, and the classes that are generated from them. */
final class LayoutFolder {
    private static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rw-r--r--");

    private LayoutFolder() {}

    /**
     * Generates the classes of all tables. A file that would not change is left alone, so that it is not compiled
     * again; a class that no table has any more is deleted. All may read the files, whatever the umask: an archive of
     * sources stores their modes.
     *
     * @param tables folder of files named {@code *.layout}
     * @param sources folder that has nothing but these classes
     */
    static void generate(Path tables, Path sources) throws IOException, LayoutException {
        Map<Path, String> classes = classes(tables);
        for (Map.Entry<Path, String> one : classes.entrySet()) {
            Path file = sources.resolve(one.getKey());
            if (!Files.exists(file) || !Files.readString(file).equals(one.getValue())) {
                Files.createDirectories(file.getParent());
                Files.writeString(file, one.getValue());
            }
            letAllRead(file);
        }
        for (Path file : files(sources, ".java")) {
            if (!classes.containsKey(sources.relativize(file))) {
                Files.delete(file);
            }
        }
    }

    private static void letAllRead(Path file) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view != null) {
            view.setPermissions(READABLE);
        }
    }

    private static Map<Path, String> classes(Path tables) throws IOException, LayoutException {
        Map<Path, String> classes = new TreeMap<>();
        List<String> mistakes = new ArrayList<>();
        for (Path file : files(tables, ".layout")) {
            try {
                LayoutTable table = LayoutTable.parse(file.toString(), Files.readAllLines(file));
                for (Struct struct : table.structs) {
                    Path path = Path.of(table.packageName.replace('.', '/'), struct.className + ".java");
                    if (classes.putIfAbsent(path, LayoutClass.source(table, struct)) != null) {
                        mistakes.add(table.at(struct.line) + "class " + struct.className + " is also in another table");
                    }
                }
            } catch (LayoutException e) {
                mistakes.add(e.getMessage());
            }
        }
        if (classes.isEmpty() && mistakes.isEmpty()) {
            mistakes.add(tables + ": no tables found");
        }
        if (!mistakes.isEmpty()) {
            throw new LayoutException(mistakes);
        }
        return classes;
    }

    private static List<Path> files(Path folder, String suffix) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }
}
