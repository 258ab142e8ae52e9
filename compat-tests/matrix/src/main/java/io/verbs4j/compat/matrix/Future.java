/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * A future level: a header with one more slot and one more verb, made from an existing header. Every library is too old
 * for it; the slot that is requested lies just beyond the newest library's last.
 */
final class Future {
    static final String NAME = "future";

    private static final String VERB = """
            package io.verbs4j;

            public final class FutureVerb {
                private FutureVerb() {}

                public static int call(Context context) {
                    return Extension.require(context, ContextSlot.COUNT, io.verbs4j.slot.FutureFunction.class).call();
                }
            }
            """;

    private static final String FUNCTION = """
            package io.verbs4j.slot;

            public interface FutureFunction {
                int call();
            }
            """;

    private Future() {}

    /** {@return a release whose header is one level ahead; it has no library of its own} */
    static Release of(Release release, Path scratch) {
        int level = release.level() + 1;
        Map<String, String> sources = Map.of(
                "io/verbs4j/VerbsLevel.java", level(release.header(), level),
                "io/verbs4j/FutureVerb.java", VERB,
                "io/verbs4j/slot/FutureFunction.java", FUNCTION);
        Path classes = scratch.resolve("future-classes");
        Path patch = classes.resolveSibling(classes.getFileName() + "-src");
        List<String> options = List.of(
                "--release",
                "17",
                "-proc:none",
                "-d",
                classes.toString(),
                "-p",
                release.header().toString(),
                "--add-modules",
                "io.verbs4j.spi",
                "--patch-module",
                "io.verbs4j.spi=" + patch);
        Compilation compilation = Compilation.compile(sources, options, classes);
        if (!compilation.succeeded()) {
            throw new MatrixException("the header of a future level does not compile: "
                    + compilation.complaints().get(0).text());
        }
        Path header = scratch.resolve("verbs-spi-future.jar");
        overlay(release.header(), classes, sources, header);
        return new Release(NAME, level, header, release.library(), release.provider());
    }

    /** {@return the program, to be compiled against the result of {@link #of}} */
    static AppSource app(int level) {
        return new AppSource(
                NAME,
                level,
                "FutureApp",
                AppSource.read("Results", "Mirror", "BaseVerbs", "Witnessed", "FutureApp"),
                new TreeMap<>(Map.of(level, List.of("FutureVerb"))),
                List.of(new Step("new", "future_verb", level, Step.Kind.MISSING)));
    }

    /** {@return the header's class with another value of CURRENT} */
    private static String level(Path header, int level) {
        StringBuilder source = new StringBuilder("package io.verbs4j;\n\npublic final class VerbsLevel {\n");
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {header.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            for (Field field : loader.loadClass("io.verbs4j.VerbsLevel").getFields()) {
                int value = field.getName().equals("CURRENT") ? level : field.getInt(null);
                source.append("    public static final int " + field.getName() + " = " + value + ";\n");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + header, e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("not a header: " + header, e);
        }
        return source.append("\n    public static int runtime() {\n        return CURRENT;\n    }\n}\n")
                .toString();
    }

    private static void overlay(Path jar, Path classes, Map<String, String> sources, Path result) {
        try (ZipFile old = new ZipFile(jar.toFile());
                OutputStream out = Files.newOutputStream(result);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            Map<String, Path> changed = new HashMap<>();
            sources.keySet().forEach(name -> {
                String file = name.replace(".java", ".class");
                changed.put(file, classes.resolve(file));
            });
            Enumeration<? extends ZipEntry> entries = old.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (!entry.isDirectory() && !changed.containsKey(entry.getName())) {
                    try (InputStream in = old.getInputStream(entry)) {
                        put(zip, entry.getName(), in.readAllBytes());
                    }
                }
            }
            for (Map.Entry<String, Path> file : new TreeMap<>(changed).entrySet()) {
                put(zip, file.getKey(), Files.readAllBytes(file.getValue()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + result, e);
        }
    }

    static void put(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(bytes);
        zip.closeEntry();
    }
}
