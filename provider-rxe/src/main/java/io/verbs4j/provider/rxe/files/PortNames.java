/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.files;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.base.OwnProcess;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * GIDs as names. On a machine without a loopback address for each process, processes of one user record in files which
 * UDP port each GID uses.
 *
 * <pre>
 *   verbs4j-{user}/ports/
 *     4026531840-4026531836-{GID}      an {@link OwnedFile} with the port
 * </pre>
 *
 * <p>Entries are cached for 50 ms, because another process may have the port afterwards. Only the user can enter the
 * folder, so a datagram from a port without an entry comes from a stranger. Thread-safe.
 */
public final class PortNames implements FileKeeper.Kept {
    private static final String SUBFOLDER = "ports";
    private static final String PREFIX = OwnNamespaces.names() + "-";
    private static final long HOLDS = TimeUnit.MILLISECONDS.toNanos(50);

    /**
     * How long a missing name stays cached, and the minimum time between two scans of the folder for an unknown port.
     * Limits the work that datagrams of strangers cause.
     */
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int MOST_PORT = 0xffff;

    private record Known(int port, long nanos) {}

    private final Gid own;
    private final Map<Gid, Known> ports = new HashMap<>();
    private final Map<Integer, Gid> names = new HashMap<>();
    private int ownPort;
    private long looked = System.nanoTime() - HOLDS;

    /** Creates a view of the names for a process with a name of its own. */
    public PortNames(Gid own) {
        this.own = own;
    }

    private static Path folder() throws IOException {
        Path folder = UserFolder.find().path().resolve(SUBFOLDER);
        UserFolder.make(folder);
        return folder;
    }

    private static Path file(Path folder, Gid name) {
        return folder.resolve(PREFIX + name.toHex());
    }

    // ---- publishing

    /**
     * Publishes the UDP port of this process's name, until {@link #withdraw}.
     *
     * @param port a UDP port of the loopback address
     * @return 0, or the number of the process that already has the name
     * @throws IOException if the folder is not writable
     */
    public synchronized long publish(int port) throws IOException {
        Path folder = folder();
        sweep(folder);
        OwnedFile mine = new OwnedFile(Integer.toString(port), OwnProcess.find());
        OwnedFile holder = mine.publish(file(folder, own));
        if (!mine.equals(holder)) {
            return holder.process().pid();
        }
        ownPort = port;
        FileKeeper.keep(this);
        return 0;
    }

    /** Withdraws the name. */
    public synchronized void withdraw() {
        if (ownPort == 0) {
            return;
        }
        OwnedFile mine = new OwnedFile(Integer.toString(ownPort), OwnProcess.find());
        ownPort = 0;
        try {
            Path file = file(folder(), own);
            if (mine.equals(OwnedFile.read(file))) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            log("the name " + own + " can't be removed and stays until this process ends", e);
        }
    }

    /** Removes files of processes that have ended. */
    private static void sweep(Path folder) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, PREFIX + "*")) {
            for (Path file : all) {
                if (OwnedFile.read(file) == null) {
                    OwnedFile.removeDead(file);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            log("names of ended processes can't be removed from " + folder, e);
        }
    }

    @Override
    public synchronized void refresh() {
        if (ownPort == 0) {
            return;
        }
        try {
            Path file = file(folder(), own);
            if (OwnedFile.read(file) == null) {
                publish(ownPort);
            } else {
                FileKeeper.touch(file);
            }
        } catch (IOException e) {
            log("the name " + own + " can't be kept", e);
        }
    }

    @Override
    public synchronized boolean isOver() {
        return ownPort == 0;
    }

    // ---- finding

    /**
     * Looks up the port of a name.
     *
     * @return the UDP port, or 0 if no living process of this user has the name
     */
    public synchronized int find(Gid name) {
        Known known = ports.get(name);
        long now = System.nanoTime();
        if (known != null && now - known.nanos < (known.port == 0 ? PAUSE : HOLDS)) {
            return known.port;
        }
        int port = 0;
        try {
            port = port(OwnedFile.read(file(folder(), name)));
        } catch (IOException e) {
            log("the name " + name + " can't be looked up", e);
        }
        learn(name, port, now);
        return port;
    }

    /**
     * Looks up the name that uses a port.
     *
     * @return the name, or null if no living process of this user has published one for the port
     */
    public synchronized Gid name(int port) {
        Gid name = names.get(port);
        if (name != null && find(name) == port) {
            return name;
        }
        long now = System.nanoTime();
        if (now - looked > PAUSE) {
            look(now);
            looked = System.nanoTime();
        }
        return names.get(port);
    }

    private void look(long now) {
        ports.clear();
        names.clear();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder(), PREFIX + "*")) {
            for (Path file : all) {
                Gid name = gid(file.getFileName().toString().substring(PREFIX.length()));
                int port = port(OwnedFile.read(file));
                if (name != null && port != 0) {
                    learn(name, port, now);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            log("names can't be read", e);
        }
    }

    private void learn(Gid name, int port, long now) {
        Known before = ports.put(name, new Known(port, now));
        if (before != null && before.port != port) {
            names.remove(before.port, name);
        }
        if (port != 0) {
            names.put(port, name);
        }
    }

    private static int port(OwnedFile file) {
        try {
            int port = file == null ? 0 : Integer.parseInt(file.word());
            return port > 0 && port <= MOST_PORT ? port : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static Gid gid(String hex) {
        try {
            return Gid.parseHex(hex);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static void log(String what, Exception e) {
        System.getLogger(PortNames.class.getName()).log(System.Logger.Level.DEBUG, what, e);
    }
}
