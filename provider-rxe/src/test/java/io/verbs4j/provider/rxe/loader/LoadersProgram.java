/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.loader;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Loads verbs4j in several class loaders of one JVM, lets them talk to each other, closes everything and checks that
 * they are unloaded.
 */
final class LoadersProgram {
    private static final int UNLOADING_SECONDS = 150;

    private LoadersProgram() {}

    /** A loader and what runs in it. */
    private static final class Party implements Closeable {
        private final URLClassLoader loader;
        private final Object peer;

        Party() throws Exception {
            URL[] path = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                    .map(LoadersProgram::url)
                    .toArray(URL[]::new);
            loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader());
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(loader);
            try {
                peer = loader.loadClass(Peer.class.getName()).getConstructor().newInstance();
            } finally {
                thread.setContextClassLoader(before);
            }
        }

        @SuppressWarnings("unchecked") // see Peer
        long[] address() {
            return ((Supplier<long[]>) peer).get();
        }

        @SuppressWarnings("unchecked") // see Peer
        void connect(Party other) {
            ((BiConsumer<long[], String>) peer).accept(other.address(), null);
        }

        @SuppressWarnings("unchecked") // see Peer
        void write(Party to, String text) {
            ((BiConsumer<long[], String>) peer).accept(to.address(), text);
        }

        @Override
        public void close() {
            try {
                ((Closeable) peer).close();
                awaitConnectionManager(); // it needs its classes until it ends by itself, after its last connection
                loader.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void awaitConnectionManager() {
        long end = System.nanoTime() + UNLOADING_SECONDS * 1_000_000_000L;
        while (hasConnectionManager() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(10_000_000);
        }
    }

    private static boolean hasConnectionManager() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().startsWith("verbs4j-cm-"));
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        List<WeakReference<ClassLoader>> loaders = useAndClose();
        System.out.println("unloaded: " + unloads(loaders));
    }

    private static List<WeakReference<ClassLoader>> useAndClose() throws Exception {
        try (Party one = new Party();
                Party other = new Party()) {
            one.connect(other);
            other.connect(one);
            one.write(other, "from one to the other");
            other.write(one, "and back");
            System.out.println(one.peer + "|" + other.peer);
            return List.of(new WeakReference<>(one.loader), new WeakReference<>(other.loader));
        }
    }

    private static boolean unloads(List<WeakReference<ClassLoader>> loaders) throws InterruptedException {
        long end = System.nanoTime() + UNLOADING_SECONDS * 1_000_000_000L;
        while (loaders.stream().anyMatch(loader -> loader.get() != null) && System.nanoTime() - end < 0) {
            System.gc();
            System.runFinalization();
            Thread.sleep(200);
        }
        return loaders.stream().allMatch(loader -> loader.get() == null);
    }
}
