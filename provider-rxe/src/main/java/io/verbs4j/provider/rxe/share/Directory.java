/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.files.OwnNamespaces;
import io.verbs4j.provider.rxe.files.UserFolder;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;

/**
 * Maps addresses of this machine to the processes that have them, with files in a folder of the user.
 *
 * <pre>
 *   verbs4j-{user}/onecopy/
 *     4026531840-4026531836-{GID}    a {@link Peer}; the numbers are the namespaces of the network and of the process
 *                                    ids, because different containers may use the same addresses
 * </pre>
 *
 * <p>Files of killed processes are harmless, because no process has that random number in its memory. The next
 * publisher removes them. The kernel knows which publishers live: those of the same namespace by their numbers, others
 * by a {@link NameLock}. A file's age alone proves nothing, because clocks may be set.
 */
final class Directory {
    private static final String SUBFOLDER = "onecopy";
    private static final int MOST_BYTES = 200;

    /** Older than any file of a living process without a lock, for instance on a file system without locks. */
    private static final Duration OLD = Duration.ofDays(3);

    private final Kernel kernel;
    private final Processes processes;
    private final Path folder;
    private final String network;

    /** The lock of the published file; null if nothing is published. */
    private NameLock lock;

    private boolean withdrawn;

    private Directory(Kernel kernel, Processes processes, Path folder, String network) {
        this.kernel = kernel;
        this.processes = processes;
        this.folder = folder;
        this.network = network;
    }

    /** Returns the directory of the user that this process runs as. */
    static Directory find(Kernel kernel, Processes processes) throws IOException {
        Path folder = UserFolder.find().path().resolve(SUBFOLDER);
        return new Directory(kernel, processes, folder, OwnNamespaces.names());
    }

    private Path file(Gid address) {
        return folder.resolve(network + "-" + address.toHex());
    }

    /** Publishes who has an address, replacing any earlier entry. */
    synchronized void publish(Gid address, Peer self) throws IOException {
        UserFolder.find(); // creates it and checks its owner
        UserFolder.make(folder);
        sweep();
        Path written = Files.createTempFile(folder, "new", "");
        try {
            unlock(); // of a file that is gone
            lock = NameLock.take(kernel, written);
            Files.writeString(written, self.text());
            Files.move(written, file(address), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(written);
        }
    }

    private void unlock() {
        if (lock != null) {
            lock.close();
            lock = null;
        }
    }

    /**
     * Publishes the address again if its file is gone: some programs delete old files in folders for temporary files.
     *
     * @param renews whether to renew the file's time, so that such programs consider it new
     */
    synchronized void keep(Gid address, Peer self, boolean renews) throws IOException {
        if (withdrawn) {
            return;
        }
        if (!self.isSame(find(address))) {
            publish(address, self);
        } else if (renews) {
            Files.setLastModifiedTime(file(address), FileTime.from(Instant.now()));
        }
    }

    /** Withdraws the address, unless another process has published it since. */
    synchronized void withdraw(Gid address, Peer self) {
        withdrawn = true;
        unlock();
        try {
            if (self.isSame(find(address))) {
                Files.deleteIfExists(file(address));
            }
        } catch (IOException e) {
            // a remaining file is harmless
        }
    }

    /** Returns the process that has an address, or null if none has published it. */
    Peer find(Gid address) throws IOException {
        return read(file(address));
    }

    private static Peer read(Path file) throws IOException {
        String text = UserFolder.read(file, MOST_BYTES);
        return text == null ? null : Peer.parse(text);
    }

    /** Removes files of processes that have ended. */
    private void sweep() throws IOException {
        Instant old = Instant.now().minus(OLD);
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path file : all) {
                boolean ours = file.getFileName().toString().startsWith(network + "-");
                Peer peer = ours ? read(file) : null;
                boolean dead = peer != null
                        ? processes.isDead(peer)
                        : !ours && isOlder(file, old) && !NameLock.isHeld(kernel, file);
                if (dead) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static boolean isOlder(Path file, Instant time) throws IOException {
        try {
            return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)
                            .toInstant()
                            .isBefore(time)
                    && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return false;
        }
    }
}
