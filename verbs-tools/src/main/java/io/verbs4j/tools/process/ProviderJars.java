/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;

/**
 * Providers' jars that the program was not started with. The library finds them through the context class loader; a second
 * process is told of them on its command line.
 */
public final class ProviderJars implements AutoCloseable {
    /** The option that names one. */
    public static final String OPTION = "--provider";

    private static final String REGISTRATION = "META-INF/services/io.verbs4j.spi.VerbsProvider";

    private final ClassLoader before;
    private final Loader loader;

    private ProviderJars(ClassLoader before, Loader loader) {
        this.before = before;
        this.loader = loader;
    }

    /** Says what keeps a file or folder from being used, or nothing. */
    public static String wrong(Path jar) {
        if (Files.isDirectory(jar)) {
            return "";
        }
        if (!Files.isRegularFile(jar)) {
            return "there is no such jar";
        }
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            assert zip.size() >= 0;
            return "";
        } catch (IOException e) {
            return "can't be read as a jar: " + e.getMessage();
        }
    }

    /** Whether one of them registers a provider; others may be what it needs. */
    public static boolean anyRegisters(List<Path> jars) {
        return jars.stream().anyMatch(ProviderJars::registers);
    }

    private static boolean registers(Path jar) {
        if (Files.isDirectory(jar)) {
            return Files.isRegularFile(jar.resolve(REGISTRATION));
        }
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return zip.getEntry(REGISTRATION) != null;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Has the library find them, from this thread and those that it starts, until this is closed.
     *
     * @param jars jars, and folders of classes
     */
    public static ProviderJars use(List<Path> jars) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        Loader loader = new Loader(jars, before == null ? ProviderJars.class.getClassLoader() : before);
        thread.setContextClassLoader(loader);
        return new ProviderJars(before, loader);
    }

    /** What a second process has to be told, to find the same. */
    static List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        if (Thread.currentThread().getContextClassLoader() instanceof Loader loader) {
            for (Path jar : loader.jars) {
                arguments.add(OPTION + "=" + jar.toAbsolutePath());
            }
        }
        return arguments;
    }

    @Override
    public void close() {
        Thread.currentThread().setContextClassLoader(before);
        try {
            loader.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Loader extends URLClassLoader {
        private final List<Path> jars;

        Loader(List<Path> jars, ClassLoader parent) {
            super(jars.stream().map(Path::toFile).map(Loader::url).toArray(URL[]::new), parent);
            this.jars = jars;
        }

        private static URL url(File file) {
            try {
                return file.toURI().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(e); // no file has such a URL
            }
        }
    }
}
