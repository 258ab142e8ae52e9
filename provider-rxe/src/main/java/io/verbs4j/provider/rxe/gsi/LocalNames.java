/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.xrc.UserFolder;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where processes of one user find each other's listeners: each process has a loopback address of its own, so that {@code localhost} alone leads nowhere.
 *
 * <pre>
 *   verbs4j-{user}/cm/
 *     262-7471         port space and port: GID, process, and when that began
 * </pre>
 *
 * <p>What a process left behind that was killed counts for nothing: there is no such process any more.
 */
final class LocalNames {
    private static final int ATTEMPTS = 3;

    private final Map<String, String> mine = new ConcurrentHashMap<>();

    private static String file(int portSpace, int port) {
        return portSpace + "-" + port;
    }

    private static Path folder() throws IOException {
        Path folder = UserFolder.find().path().resolve("cm");
        UserFolder.make(folder);
        return folder;
    }

    void publish(int portSpace, int port, Gid address) {
        String name = file(portSpace, port);
        ProcessHandle self = ProcessHandle.current();
        String line = address.toHex() + " " + self.pid() + " " + began(self);
        try {
            Path folder = folder();
            Path written = Files.createTempFile(folder, "new", "");
            try {
                Files.writeString(written, line);
                for (int i = 0; i < ATTEMPTS && !link(folder.resolve(name), written); i++) {
                    if (addressIn(Files.readString(folder.resolve(name))) != null) {
                        return; // another's
                    }
                    Files.deleteIfExists(folder.resolve(name));
                }
                mine.put(name, line);
            } finally {
                Files.delete(written);
            }
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            log().log(System.Logger.Level.DEBUG, "other processes do not find port " + port + " of localhost", e);
        }
    }

    /** Gives a whole file a name; false where there is such a file. */
    private static boolean link(Path file, Path written) throws IOException {
        try {
            Files.createLink(file, written);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    void withdraw(int portSpace, int port) {
        String name = file(portSpace, port);
        String line = mine.remove(name);
        if (line == null) {
            return;
        }
        try {
            Path file = folder().resolve(name);
            if (Files.exists(file) && Files.readString(file).equals(line)) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            log().log(System.Logger.Level.DEBUG, "the name of port " + port + " stays until this process ends", e);
        }
    }

    /** The address of a listener; null where there is none. */
    Gid lookUp(int portSpace, int port) {
        try {
            Path file = folder().resolve(file(portSpace, port));
            return Files.exists(file) ? addressIn(Files.readString(file)) : null;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            log().log(System.Logger.Level.DEBUG, "port " + port + " of localhost is not found", e);
            return null;
        }
    }

    /** The address in a line; null where its process is gone. */
    private static Gid addressIn(String line) {
        String[] words = line.split(" ", -1);
        if (words.length != 3) {
            return null;
        }
        Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(words[1]));
        return process.isPresent() && began(process.get()).equals(words[2]) ? Gid.parseHex(words[0]) : null;
    }

    /** Numbers of processes come again. */
    private static String began(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toString).orElse("-");
    }

    /** Not a constant: to load what logs takes longer than to open the device. */
    private static System.Logger log() {
        return System.getLogger(LocalNames.class.getName());
    }
}
