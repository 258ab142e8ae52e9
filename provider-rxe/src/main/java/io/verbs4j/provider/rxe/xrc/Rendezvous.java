/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * Where the processes that share a domain find each other: a folder that only its owner can enter, with a socket for each.
 *
 * <pre>
 *   {tmp}/verbs4j-{user}/lock               held while a process looks around and takes a number, or leaves
 *                        {device and file}/
 *                          0a7              socket of the process whose queues have the numbers 0x0a7001 to 0x0a7fff
 * </pre>
 *
 * <p>A socket that nobody listens at is of a process that has died.
 */
final class Rendezvous implements AutoCloseable {
    /** Bits of a queue's number that are its process's own. */
    static final int LOCAL_BITS = 12;

    private static final int PROCESSES = 1 << 24 - LOCAL_BITS;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private final Path folder;
    private final ServerSocketChannel server;
    private final int prefix;

    private Rendezvous(Path folder, ServerSocketChannel server, int prefix) {
        this.folder = folder;
        this.server = server;
        this.prefix = prefix;
    }

    /** Whether this system has what is needed. */
    static boolean isPossible() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    }

    /** Decides whether to go on, knowing whether other processes have the domain. */
    interface Condition {
        /** Throws where the domain must not be opened. */
        void check(boolean exists);
    }

    /** Joins the processes of a domain. */
    static Rendezvous join(Object identity, String device, Condition condition) throws IOException {
        Path base = base();
        Path folder = base.resolve((device + identity).replaceAll("[^A-Za-z0-9]+", "-"));
        try (FileChannel lockFile = lockFile(base);
                FileLock lock = lock(lockFile)) {
            assert lock.isValid(); // held until the end of this
            make(folder);
            condition.check(!live(folder).isEmpty());
            int start = ThreadLocalRandom.current().nextInt(PROCESSES);
            for (int i = 0; i < PROCESSES; i++) {
                int number = start + i & PROCESSES - 1;
                Path socket = socket(folder, number);
                if (number != 0 && !Files.exists(socket)) {
                    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                    server.bind(UnixDomainSocketAddress.of(socket));
                    return new Rendezvous(folder, server, number);
                }
            }
            throw new IOException("all " + (PROCESSES - 1) + " numbers for processes are taken");
        }
    }

    private static FileChannel lockFile(Path base) throws IOException {
        return FileChannel.open(base.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private static FileLock lock(FileChannel file) throws IOException {
        while (true) {
            try {
                return file.lock();
            } catch (OverlappingFileLockException e) { // another class loader of this JVM has it
                try {
                    Thread.sleep(1);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted", interrupted);
                }
            }
        }
    }

    private static void make(Path folder) throws IOException {
        try {
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } catch (FileAlreadyExistsException e) {
            // made by another process
        }
    }

    private static Path base() throws IOException {
        String user = System.getProperty("user.name").replaceAll("[^A-Za-z0-9_.-]", "_");
        Path folder = Path.of(
                System.getProperty("java.io.tmpdir"), "verbs4j-" + user.substring(0, Math.min(user.length(), 16)));
        make(folder); // or it was there, but whose is it?
        PosixFileAttributes attributes =
                Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        // A name can be anybody's, and Java does not tell who this process runs as: a file that it makes does.
        Path mine = Files.createTempFile(Path.of(System.getProperty("java.io.tmpdir")), "verbs4j", "");
        try {
            if (!attributes.isDirectory()
                    || !attributes.permissions().equals(OWNER_ONLY)
                    || !attributes.owner().equals(Files.getOwner(mine))) {
                throw new IOException(folder + " is not a folder of this user's alone; remove it");
            }
        } finally {
            Files.delete(mine);
        }
        return folder;
    }

    private static Path socket(Path folder, int number) {
        return folder.resolve(HexFormat.of().toHexDigits(number, 3));
    }

    /** The sockets of processes that live; those of the dead are removed. The lock is held. */
    private static List<Path> live(Path folder) throws IOException {
        List<Path> live = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "[0-9a-f][0-9a-f][0-9a-f]")) {
            for (Path socket : all) {
                if (isLive(socket)) {
                    live.add(socket);
                } else {
                    Files.deleteIfExists(socket);
                }
            }
        }
        return live;
    }

    private static boolean isLive(Path socket) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.configureBlocking(false);
            return channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (java.net.ConnectException | java.nio.file.NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            return Files.exists(socket); // it exists, and something else is wrong: its backlog is full, for instance
        }
    }

    /** The upper bits of the numbers of this process's queues. */
    int prefix() {
        return prefix;
    }

    /** The socket of another process; null where there is none. */
    Path socket(int ofPrefix) {
        Path socket = socket(folder, ofPrefix);
        return Files.exists(socket) ? socket : null;
    }

    /** The sockets of all others. */
    List<Path> others() throws IOException {
        List<Path> others = new ArrayList<>();
        Path own = socket(folder, prefix);
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "[0-9a-f][0-9a-f][0-9a-f]")) {
            all.forEach(others::add);
        }
        others.remove(own);
        return others;
    }

    /** Hands on who connects, until {@link #close()}. */
    void accept(Consumer<SocketChannel> to) {
        while (true) {
            try {
                to.accept(server.accept());
            } catch (IOException e) {
                if (!server.isOpen()) {
                    return;
                }
            }
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            try (FileChannel lockFile = lockFile(folder.getParent());
                    FileLock lock = lock(lockFile)) {
                assert lock.isValid();
                Files.deleteIfExists(socket(folder, prefix));
                Files.delete(folder); // unless others are in it
            }
        } catch (IOException e) {
            // whoever comes next finds that nobody listens
        }
    }
}
