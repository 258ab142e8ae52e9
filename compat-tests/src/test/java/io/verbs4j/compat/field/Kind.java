/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.field;

import io.verbs4j.compat.built.Javac;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** One kind of broken provider: its source, the change to its jar, and the expected message. */
final class Kind {
    private static final String SERVICES = "META-INF/services/io.verbs4j.spi.VerbsProvider";
    private static final String CLASS = "broken/Provider.class";
    /** A class file version; Java 25 has 69. */
    private static final byte LATER_VERSION = 99;

    final String name;
    final List<String> words;
    private final String body;
    private boolean provider = true;
    private boolean extended;
    private boolean olderInterface;
    private boolean newerJava;
    private String without = "";
    private byte[] services = "broken.Provider\n".getBytes(StandardCharsets.UTF_8);
    private byte[] replacement;
    private String manifest;

    Kind(String name, String body, List<String> words) {
        this.name = name;
        this.body = body;
        this.words = words;
    }

    Kind without(String classFile) {
        without = "broken/" + classFile;
        return this;
    }

    Kind notAProvider() {
        provider = false;
        return this;
    }

    Kind extended() {
        extended = true;
        return this;
    }

    Kind againstOlderInterface() {
        olderInterface = true;
        return this;
    }

    Kind ofNewerJava() {
        newerJava = true;
        return this;
    }

    Kind services(byte[] content) {
        services = content;
        return this;
    }

    Kind replacing(byte[] classFile) {
        replacement = classFile;
        return this;
    }

    Kind manifest(String content) {
        manifest = content;
        return this;
    }

    private String source() {
        String type = !provider ? "" : extended ? "implements ExtendedProvider" : "implements VerbsProvider";
        return "package broken; import io.verbs4j.*; import io.verbs4j.spi.*; import java.util.*; public class"
                + " Provider "
                + type + " { static class Dev extends Device { Dev(String n) { super(n, 1, 1, 0); } } "
                + "static final Device DEVICE = new Dev(\"broken0\"); " + body
                + absent("String name()", "return \"broken\";")
                + absent("int level()", "return 1;")
                + (olderInterface ? "" : absent("int minimumLibraryLevel()", "return 1;"))
                + absent("List<? extends Device> devices()", "return List.of();")
                + absent("ContextOps openDevice(", "return new ContextOps() {};")
                + "}";
    }

    private String absent(String method, String does) {
        String whole = method.endsWith("(") ? method + "Device d, Context c)" : method;
        return body.contains(method) ? "" : "public " + whole + " { " + does + " } ";
    }

    /** Creates the jar. */
    Path jar(Path folder, Path header) {
        try {
            Path classes = folder.resolve("classes");
            Map<String, String> sources = new TreeMap<>(Map.of("broken/Provider.java", source()));
            if (olderInterface) {
                // The interface as it was before it had that method: compiled with the provider, but left out of the
                // jar.
                sources.put(
                        "io/verbs4j/spi/VerbsProvider.java",
                        "package io.verbs4j.spi; import io.verbs4j.*; import java.util.*; public interface"
                                + " VerbsProvider { String name(); int level(); List<? extends Device> devices();"
                                + " ContextOps openDevice(Device d, Context c); }");
            }
            Javac.compile(sources, classes, List.of("-cp", header.toString()));
            Map<String, byte[]> content = new TreeMap<>();
            if (manifest != null) {
                content.put("META-INF/MANIFEST.MF", manifest.getBytes(StandardCharsets.UTF_8));
            }
            content.put(SERVICES, services);
            try (Stream<Path> files = Files.walk(classes.resolve("broken"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    content.put(classes.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
                }
            }
            if (!without.isEmpty() && content.remove(without) == null) {
                throw new IllegalStateException(without + " is not there to be taken away");
            }
            if (replacement != null) {
                content.put(CLASS, replacement);
            }
            if (newerJava) {
                content.get(CLASS)[7] = LATER_VERSION;
            }
            return write(folder.resolve("broken.jar"), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path write(Path jar, Map<String, byte[]> content) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream out = new ZipOutputStream(file)) {
            for (Map.Entry<String, byte[]> entry : content.entrySet()) {
                out.putNextEntry(new ZipEntry(entry.getKey()));
                out.write(entry.getValue());
            }
        }
        return jar;
    }

    @Override
    public String toString() {
        return name;
    }
}
