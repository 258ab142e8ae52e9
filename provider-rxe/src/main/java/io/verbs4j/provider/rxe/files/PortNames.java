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
 * GIDs that are names: where a machine has no loopback address for each process, processes of one user tell each other
 * by files which UDP port each GID is at.
 *
 * <pre>
 *   verbs4j-{user}/ports/
 *     4026531840-4026531836-{GID}      an {@link OwnedFile} that says the port
 * </pre>
 *
 * <p>What was read holds for 50 ms: a port may be another process's by then. Nobody but the user can enter the
 * folder, so a datagram from a port that is not in it is a stranger's. Thread-safe.
 */
public final class PortNames implements FileKeeper.Kept {
    private static final String SUBFOLDER = "ports";
    private static final String PREFIX = OwnNamespaces.names() + "-";
    private static final long HOLDS = TimeUnit.MILLISECONDS.toNanos(50);

    /**
     * How long it holds that a name is not there, and the time between two looks at the whole folder for a port that is not
     * in it: anybody can send a datagram.
     */
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int MOST_PORT = 0xffff;

    private record Known(int port, long nanos) {}

    private final Gid own;
    private final Map<Gid, Known> ports = new HashMap<>();
    private final Map<Integer, Gid> names = new HashMap<>();
    private int ownPort;
    private long looked = System.nanoTime() - HOLDS;

    /** Names as they are known to who has one himself. */
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

    // ---- telling

    /**
     * Tells where this process's name is from now on, until {@link #withdraw}.
     *
     * @param port a UDP port of the loopback address
     * @return 0; else the process that has the name
     * @throws IOException where nothing can be written there
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

    /** Ends that. */
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
            log("the name " + own + " stays until this process ends", e);
        }
    }

    /** Removes what the dead have left. */
    private static void sweep(Path folder) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, PREFIX + "*")) {
            for (Path file : all) {
                if (OwnedFile.read(file) == null) {
                    OwnedFile.removeDead(file);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            log("names of processes that are gone stay in " + folder, e);
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
            log("the name " + own + " is not kept", e);
        }
    }

    @Override
    public synchronized boolean isOver() {
        return ownPort == 0;
    }

    // ---- finding

    /**
     * Where a name is.
     *
     * @return the UDP port; 0 where no living process of this user has the name
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
            log("the name " + name + " is not found", e);
        }
        learn(name, port, now);
        return port;
    }

    /**
     * Whose a port is.
     *
     * @return the name; null where no living process of this user has told one of it
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
