/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.built;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.tree.ClassNode;

/** The files of a jar or of a folder of classes, in memory, to read, change and write to another jar. */
public final class JarContent {
    private final String origin;
    private final Map<String, byte[]> files = new TreeMap<>();

    private JarContent(String origin) {
        this.origin = origin;
    }

    /** Reads a jar or a folder. */
    public static JarContent of(Path location) {
        JarContent content = new JarContent(location.toString());
        try {
            if (Files.isDirectory(location)) {
                content.readFolder(location);
            } else {
                content.readJar(location);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + location, e);
        }
        return content;
    }

    private void readFolder(Path folder) throws IOException {
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                String name = folder.relativize(file).toString().replace('\\', '/');
                files.put(name, Files.readAllBytes(file));
            }
        }
    }

    private void readJar(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : zip.stream().filter(e -> !e.isDirectory()).toList()) {
                files.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
            }
        }
    }

    /** {@return the names of all files} */
    public List<String> names() {
        return List.copyOf(files.keySet());
    }

    /** {@return the bytes of a file} */
    public byte[] bytes(String name) {
        byte[] bytes = files.get(name);
        if (bytes == null) {
            throw new IllegalArgumentException("no " + name + " in " + origin);
        }
        return bytes.clone();
    }

    /** {@return the text of a file} */
    public String text(String name) {
        return new String(bytes(name), StandardCharsets.UTF_8);
    }

    /** {@return all classes except the module descriptor, without their code, by internal name} */
    public Map<String, ClassNode> classes() {
        return files.keySet().stream()
                .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
                .filter(name -> !name.startsWith("META-INF/"))
                .map(name -> node(name, ClassReader.SKIP_CODE))
                .collect(Collectors.toMap(node -> node.name, node -> node, (a, b) -> a, TreeMap::new));
    }

    /** Adds or replaces a file. */
    public JarContent put(String name, byte[] bytes) {
        files.put(name, bytes.clone());
        return this;
    }

    /** Removes a file. */
    public JarContent remove(String name) {
        if (files.remove(name) == null) {
            throw new IllegalArgumentException("no " + name + " in " + origin);
        }
        return this;
    }

    /** Changes a class, named by its internal name, or {@code module-info}. */
    public JarContent edit(String internalName, Consumer<ClassNode> change) {
        String file = internalName + ".class";
        ClassNode node = node(file, 0);
        change.accept(node);
        ClassWriter writer = new ClassWriter(0);
        node.accept(writer);
        return put(file, writer.toByteArray());
    }

    private ClassNode node(String file, int options) {
        ClassNode node = new ClassNode();
        new ClassReader(bytes(file)).accept(node, options);
        return node;
    }

    /** Writes all files to a jar. */
    public Path writeTo(Path jar) {
        try {
            Files.createDirectories(jar.toAbsolutePath().getParent());
            try (OutputStream out = Files.newOutputStream(jar);
                    ZipOutputStream zip = new ZipOutputStream(out)) {
                for (Map.Entry<String, byte[]> file : files.entrySet()) {
                    zip.putNextEntry(new ZipEntry(file.getKey()));
                    zip.write(file.getValue());
                    zip.closeEntry();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + jar, e);
        }
        return jar;
    }
}
