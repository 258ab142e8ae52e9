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
 * Provider jars that were not on the program's class path. The library finds them through the context class loader; a
 * second process gets them on its command line.
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

    /** {@return why a file or folder can't be used, or an empty string} */
    public static String wrong(Path jar) {
        if (Files.isDirectory(jar)) {
            return "";
        }
        if (!Files.isRegularFile(jar)) {
            return "no such jar";
        }
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            assert zip.size() >= 0;
            return "";
        } catch (IOException e) {
            return "can't be read as a jar: " + e.getMessage();
        }
    }

    /** {@return whether one of the jars registers a provider; the others may be its dependencies} */
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
     * Lets the library find the jars, from this thread and those that it starts, until this object is closed.
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

    /** {@return the arguments that make a second process find the same jars} */
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
                throw new IllegalArgumentException(e); // every file has a valid URL
            }
        }
    }
}
