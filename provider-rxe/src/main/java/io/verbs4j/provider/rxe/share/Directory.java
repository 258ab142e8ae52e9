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
 * Who has which address of this machine: files in a folder of the user's.
 *
 * <pre>
 *   verbs4j-{user}/onecopy/
 *     4026531840-4026531836-{GID}    a {@link Peer}; the numbers are those of the network and of the process ids, as containers
 *                                    have the same ones
 * </pre>
 *
 * <p>What a process left behind that was killed does no harm: nobody has that random number in his memory. It is
 * removed by the next that publishes. Who lives is known by the kernel: processes of the same namespace by their
 * numbers, others by a {@link NameLock}. The age of a file alone says nothing, as clocks are set.
 */
final class Directory {
    private static final String SUBFOLDER = "onecopy";
    private static final int MOST_BYTES = 200;

    /** Those who live and hold no lock, as where the file system has none, renew their files more often. */
    private static final Duration OLD = Duration.ofDays(3);

    private final Kernel kernel;
    private final Processes processes;
    private final Path folder;
    private final String network;

    /** Of what was published last; null where nothing is. */
    private NameLock lock;

    private boolean withdrawn;

    private Directory(Kernel kernel, Processes processes, Path folder, String network) {
        this.kernel = kernel;
        this.processes = processes;
        this.folder = folder;
        this.network = network;
    }

    /** The folder of the user that this process runs as, and what it shares with others. */
    static Directory find(Kernel kernel, Processes processes) throws IOException {
        Path folder = UserFolder.find().path().resolve(SUBFOLDER);
        return new Directory(kernel, processes, folder, OwnNamespaces.names());
    }

    private Path file(Gid address) {
        return folder.resolve(network + "-" + address.toHex());
    }

    /** Tells who has an address, in place of what was told before. */
    synchronized void publish(Gid address, Peer self) throws IOException {
        UserFolder.find(); // makes it, and looks whose it is
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
     * Tells it again where the file is gone: there are programs that delete what is old in folders for temporary files.
     *
     * @param renews whether the file is to be taken for a new one by those
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

    /** Ends that, unless another has published since. */
    synchronized void withdraw(Gid address, Peer self) {
        withdrawn = true;
        unlock();
        try {
            if (self.isSame(find(address))) {
                Files.deleteIfExists(file(address));
            }
        } catch (IOException e) {
            // then it stays, and does no harm
        }
    }

    /** Who has an address; null where nobody says so. */
    Peer find(Gid address) throws IOException {
        return read(file(address));
    }

    private static Peer read(Path file) throws IOException {
        String text = UserFolder.read(file, MOST_BYTES);
        return text == null ? null : Peer.parse(text);
    }

    /** Removes what the dead have left. */
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
