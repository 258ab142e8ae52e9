/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.xrc.UserFolder;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Who has which address of this machine: files in a folder of the user's.
 *
 * <pre>
 *   verbs4j-{user}/onecopy/
 *     4026531840-4026531836-{GID}    a {@link Peer}; the numbers are those of the network and of the process ids, as containers
 *                                    have the same ones
 * </pre>
 *
 * <p>What a process left behind that was killed does no harm: nobody has that random number in his memory. It is removed by the next that
 * publishes.
 */
final class Directory {
    private static final String SUBFOLDER = "onecopy";
    private static final int MOST_BYTES = 200;

    private final Path folder;
    private final String network;

    private Directory(Path folder, String network) {
        this.folder = folder;
        this.network = network;
    }

    /** The folder of the user that this process runs as, and what it shares with others. */
    static Directory find() throws IOException {
        return new Directory(UserFolder.find().path().resolve(SUBFOLDER), namespace("net") + "-" + namespace("pid"));
    }

    private static String namespace(String kind) throws IOException {
        return Files.readSymbolicLink(Path.of("/proc/self/ns", kind)).toString().replaceAll("[^0-9]", "");
    }

    private Path file(Gid address) {
        return folder.resolve(network + "-" + address.toHex());
    }

    /** Tells who has an address, in place of what was told before. */
    void publish(Gid address, Peer self) throws IOException {
        UserFolder.make(folder);
        sweep();
        Path written = Files.createTempFile(folder, "new", "");
        try {
            Files.writeString(written, self.text());
            Files.move(written, file(address), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(written);
        }
    }

    /** Ends that, unless another has published since. */
    void withdraw(Gid address, Peer self) {
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
        try {
            return Files.size(file) > MOST_BYTES ? null : Peer.parse(Files.readString(file));
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Removes what the dead have left. */
    private void sweep() throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, network + "-*")) {
            for (Path file : all) {
                Peer peer = read(file);
                if (peer != null && ProcessHandle.of(peer.pid()).isEmpty()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }
}
