/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.base.OwnProcess;
import io.verbs4j.provider.rxe.files.FileKeeper;
import io.verbs4j.provider.rxe.files.OwnNamespaces;
import io.verbs4j.provider.rxe.files.OwnedFile;
import io.verbs4j.provider.rxe.files.UserFolder;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Publishes listeners to other processes of the user. Each process has its own loopback address, so {@code localhost}
 * alone does not identify a listener.
 *
 * <pre>
 *   verbs4j-{user}/cm/
 *     262-7471-4026531840-4026531836          the listener of localhost: port space, port, namespaces of the network
 *                                             and of process ids; an {@link OwnedFile}
 *     262-7471-4026531840-4026531836-{GID}    a listener at that address
 * </pre>
 *
 * <p>Files that a killed process left behind are ignored. {@link FileKeeper} publishes files again that a cleaner of
 * temporary files removes.
 */
class LocalNames implements FileKeeper.Kept {
    private static final String SUBFOLDER = "cm";

    /**
     * How long a found listener stays cached: a thousand connections started at once look it up a thousand times. A
     * request may be in transit for as long anyway.
     */
    static final long HOLDS = TimeUnit.MILLISECONDS.toNanos(1);

    private record Key(int portSpace, int port, Gid address) {
        // Not the generated methods: with these, the JDK would keep this class's class loader alive.

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key
                    && portSpace == key.portSpace
                    && port == key.port
                    && address.equals(key.address);
        }

        @Override
        public int hashCode() {
            return Objects.hash(portSpace, port, address);
        }
    }

    private static final class Published {
        /** Whether the listener requested the name {@code localhost}. */
        final boolean byName;

        /** Null if it could not be published. */
        Path file;

        /** Whether a warning was logged. */
        boolean warned;

        Published(boolean byName) {
            this.byName = byName;
        }
    }

    /** A listener that was found, and when. */
    private record Found(int portSpace, int port, Gid address, long nanos) {}

    private final Map<Key, Published> mine = new HashMap<>();
    private volatile String searched;

    /** The last one found. Null at first and after a change to this process's listeners. */
    private volatile Found last;

    /** Returns the time of {@link System#nanoTime()}; tests override it. */
    long nanos() {
        return System.nanoTime();
    }

    private static OwnedFile own(Gid address) {
        return new OwnedFile(address.toHex(), OwnProcess.find());
    }

    private static String name(int portSpace, int port) {
        return portSpace + "-" + port + "-" + OwnNamespaces.names();
    }

    private static Path folder() throws IOException {
        Path folder = UserFolder.find().path().resolve(SUBFOLDER);
        UserFolder.make(folder);
        return folder;
    }

    // ---- publishing

    void publish(int portSpace, int port, Gid address, boolean byName) {
        Key key = new Key(portSpace, port, address);
        Published published = new Published(byName);
        synchronized (this) {
            last = null;
            OwnedFile holder = attempt(key, published);
            if (byName && holder != null && isLoopback(address)) {
                throw new VerbsException(
                        Errno.EADDRINUSE,
                        "listen",
                        "port " + port + " of localhost belongs to process "
                                + holder.process().pid() + "; use another port, or listen on an address");
            }
            mine.put(key, published);
        }
        FileKeeper.keep(this);
    }

    private static boolean isLoopback(Gid address) {
        return address.toInetAddress().isLoopbackAddress();
    }

    /**
     * Publishes the listener by name or, failing that, by address. Returns the other process's entry if that has the
     * name {@code localhost}, otherwise null.
     */
    private OwnedFile attempt(Key key, Published published) {
        boolean interrupted = Thread.interrupted(); // file operations fail in interrupted threads
        try {
            Path folder = folder();
            sweep(folder);
            OwnedFile own = own(key.address);
            Path name = folder.resolve(name(key.portSpace, key.port));
            OwnedFile holder = published.byName ? own.publish(name) : null;
            if (own.equals(holder)) {
                published.file = name;
                return null;
            }
            boolean others = holder != null && !holder.process().equals(own.process());
            if (others && isLoopback(key.address)) {
                return holder;
            }
            Path byAddress = folder.resolve(name.getFileName() + "-" + key.address.toHex());
            own.publish(byAddress);
            published.file = byAddress;
            return others ? holder : null;
        } catch (IOException | UnsupportedOperationException | SecurityException e) {
            warn(key, published, "it can't be published there: " + e);
            return null;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void warn(Key key, Published published, String why) {
        if (!published.warned) {
            published.warned = true;
            log().log(
                            System.Logger.Level.WARNING,
                            "other processes can't find port " + key.port + " by the name localhost, only at "
                                    + key.address.toInetAddress().getHostAddress() + ": its name should be in "
                                    + place() + ", but " + why);
        }
    }

    private static String place() {
        return Path.of(System.getProperty("java.io.tmpdir"), "verbs4j-{uid}", SUBFOLDER)
                .toString();
    }

    /** Removes files of ended processes. Otherwise a port that is never used again would keep its file. */
    private static void sweep(Path folder) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "*-" + OwnNamespaces.names() + "*")) {
            for (Path file : all) {
                if (OwnedFile.read(file) == null) {
                    OwnedFile.removeDead(file);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            log().log(System.Logger.Level.DEBUG, "names of ended processes can't be removed from " + folder, e);
        }
    }

    // ---- keeping

    /** Publishes missing files again, and marks the others as in use for cleaners of temporary files. */
    @Override
    public synchronized void refresh() {
        mine.forEach((key, published) -> {
            if (isThere(key, published)) {
                return;
            }
            OwnedFile holder = attempt(key, published);
            if (holder != null && published.byName) {
                warn(key, published, "process " + holder.process().pid() + " has taken it");
            }
        });
    }

    @Override
    public synchronized boolean isOver() {
        return mine.isEmpty();
    }

    private static boolean isThere(Key key, Published published) {
        try {
            if (published.file == null || !own(key.address).equals(OwnedFile.read(published.file))) {
                return false;
            }
            FileKeeper.touch(published.file);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    // ---- withdrawing

    synchronized void withdraw(int portSpace, int port, Gid address) {
        Key key = new Key(portSpace, port, address);
        last = null;
        Published published = mine.remove(key);
        if (published == null || published.file == null) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            if (own(address).equals(OwnedFile.read(published.file))) {
                Files.deleteIfExists(published.file);
            }
        } catch (IOException e) {
            log().log(
                            System.Logger.Level.DEBUG,
                            "the name of port " + port + " can't be removed and stays until this process ends",
                            e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** As above, at any address. */
    synchronized void withdraw(int portSpace, int port) {
        for (Key key : mine.keySet().toArray(new Key[0])) {
            if (key.portSpace == portSpace && key.port == port) {
                withdraw(portSpace, port, key.address);
            }
        }
    }

    // ---- finding

    /** Returns the address of a listener, or null if none is found. */
    Gid lookUp(int portSpace, int port) {
        Found before = last;
        long now = nanos();
        if (before != null && before.port == port && before.portSpace == portSpace && now - before.nanos < HOLDS) {
            return before.address;
        }
        Gid found = search(portSpace, port);
        if (found != null) {
            last = new Found(portSpace, port, found, now);
        }
        return found;
    }

    private Gid search(int portSpace, int port) {
        boolean interrupted = Thread.interrupted();
        searched = place();
        try {
            Path folder = folder();
            searched = folder.toString();
            String name = name(portSpace, port);
            Gid found = address(OwnedFile.read(folder.resolve(name)));
            if (found != null) {
                return found;
            }
            try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, name + "-*")) {
                for (Path file : all) {
                    found = address(OwnedFile.read(file));
                    if (found != null) {
                        return found;
                    }
                }
            }
        } catch (IOException | DirectoryIteratorException | UnsupportedOperationException e) {
            if (!(e instanceof NoSuchFileException)) {
                searched = place() + " (" + e + ")";
            }
            log().log(System.Logger.Level.DEBUG, "port " + port + " of localhost can't be looked up", e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return null;
    }

    private static Gid address(OwnedFile file) {
        try {
            return file == null ? null : Gid.parseHex(file.word());
        } catch (IllegalArgumentException e) {
            return null; // not an address
        }
    }

    /** Returns where {@link #lookUp} last searched for files, or null before its first call. */
    String searched() {
        return searched;
    }

    /** Not a constant, because loading the logging classes takes longer than opening the device. */
    private static System.Logger log() {
        return System.getLogger(LocalNames.class.getName());
    }
}
