/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.provider.rxe.base.Interrupts;
import io.verbs4j.provider.rxe.files.FileKeeper;
import io.verbs4j.provider.rxe.files.UserFolder;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Where the processes that share a domain find each other: a folder in the {@link UserFolder}, with a socket for each
 * process.
 *
 * <pre>
 *   lock               held while a process joins and takes a number, or leaves
 *   {device and file}/
 *     0a7              socket of the process whose queues have the numbers 0x0a7001 to 0x0a7fff
 * </pre>
 *
 * <p>A socket that no process listens on belongs to a process that has died. A process that joins a domain removes such
 * sockets, and the folders of domains without processes. {@link FileKeeper} recreates what a cleaner of temporary files
 * removes.
 */
final class Rendezvous implements FileKeeper.Kept, AutoCloseable {
    /** Bits of a queue's number that its process assigns. */
    static final int LOCAL_BITS = 12;

    private static final int PROCESSES = 1 << 24 - LOCAL_BITS;
    private static final String SOCKETS = "[0-9a-f][0-9a-f][0-9a-f]";

    /** Leaving does not wait for long: the next process that joins removes what is left behind. */
    private static final long PATIENCE_TO_LEAVE = TimeUnit.SECONDS.toNanos(1);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final UserFolder base;
    private final Path folder;
    private final int prefix;

    /** The current socket, replaced when its file was deleted. Written with the lock of the folder held. */
    private volatile ServerSocketChannel server;

    /** Identifies the file of {@link #server}. The system does not reuse it before that is closed. */
    private volatile Object key;

    private volatile boolean left;
    private boolean warned;
    private final Thread atExit = new Thread(this::leave, "verbs4j-xrc-exit");

    private Rendezvous(UserFolder base, Path folder, int prefix) throws IOException {
        this.base = base;
        this.folder = folder;
        this.prefix = prefix;
        listen();
        try {
            Runtime.getRuntime().addShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // the JVM is about to end
        }
    }

    /** Returns whether this system supports sharing domains between processes. */
    static boolean isPossible() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    }

    /** Decides whether to open a domain, depending on whether other processes have it open. */
    interface Condition {
        /** Throws if the domain must not be opened. */
        void check(boolean exists);
    }

    /** Handles connections. */
    interface Visitors {
        /** Handles a connection and is responsible for closing it, unless this method throws. */
        void welcome(SocketChannel channel) throws IOException;
    }

    /** Joins the processes of a domain. */
    static Rendezvous join(Object identity, String device, Condition condition) throws IOException {
        return join(identity, device, condition, UserFolder.PATIENCE);
    }

    /**
     * As {@link #join(Object, String, Condition)}, with a limit on the wait for processes that join or leave at the
     * same time.
     */
    static Rendezvous join(Object identity, String device, Condition condition, long patience) throws IOException {
        UserFolder base = UserFolder.find();
        Path folder = base.path().resolve((device + identity).replaceAll("[^A-Za-z0-9]+", "-"));
        return base.locked(patience, Interrupts.END, () -> {
            sweep(base.path());
            UserFolder.make(folder);
            boolean complete = false;
            try {
                condition.check(!live(folder).isEmpty());
                Rendezvous joined = enter(base, folder);
                FileKeeper.keep(joined);
                complete = true;
                return joined;
            } finally {
                if (!complete) {
                    removeIfEmpty(folder);
                }
            }
        });
    }

    private static Rendezvous enter(UserFolder base, Path folder) throws IOException {
        int start = ThreadLocalRandom.current().nextInt(PROCESSES);
        for (int i = 0; i < PROCESSES; i++) {
            int number = start + i & PROCESSES - 1;
            Path socket = socket(folder, number);
            if (number != 0 && !Files.exists(socket)) {
                return new Rendezvous(base, folder, number);
            }
        }
        throw new IOException("all " + (PROCESSES - 1) + " process numbers are taken");
    }

    /** Listens on a new file. The caller holds the lock. */
    private void listen() throws IOException {
        Path socket = socket(folder, prefix);
        ServerSocketChannel made = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        boolean complete = false;
        try {
            made.bind(UnixDomainSocketAddress.of(socket));
            key = key(socket);
            server = made;
            complete = true;
        } finally {
            if (!complete) {
                made.close();
            }
        }
    }

    /** Returns the key that identifies a file; null if the file does not exist. */
    private static Object key(Path socket) throws IOException {
        try {
            return Files.readAttributes(socket, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private boolean hasItsSocket() throws IOException {
        Object there = key(socket(folder, prefix));
        return there != null && there.equals(key);
    }

    /** Removes what killed processes have left behind. The caller holds the lock. */
    private static void sweep(Path base) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(base, Rendezvous::isDomain)) {
            for (Path folder : all) {
                if (live(folder).isEmpty()) {
                    removeIfEmpty(folder);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /** Returns whether a folder is that of a domain; others do not belong to this class. */
    private static boolean isDomain(Path folder) {
        return folder.getFileName().toString().indexOf('-') >= 0
                && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
    }

    private static void removeIfEmpty(Path folder) throws IOException {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException e) {
            // other processes use it
        }
    }

    private static Path socket(Path folder, int number) {
        return folder.resolve(HexFormat.of().toHexDigits(number, 3));
    }

    /** Returns the sockets of living processes; removes those of dead ones. The caller holds the lock. */
    private static List<Path> live(Path folder) throws IOException {
        List<Path> live = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, SOCKETS)) {
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

    private static boolean isLive(Path socket) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) { // fails without a descriptor
            channel.configureBlocking(false);
            try {
                return channel.connect(UnixDomainSocketAddress.of(socket));
            } catch (ConnectException e) {
                return false;
            } catch (IOException e) {
                return Files.exists(socket); // a process listens, but its queue of connections is full
            }
        }
    }

    /** {@return the upper bits of the numbers of this process's queues} */
    int prefix() {
        return prefix;
    }

    /** Returns the socket of another process; null if it does not exist. */
    Path socket(int ofPrefix) {
        Path socket = socket(folder, ofPrefix);
        return Files.exists(socket) ? socket : null;
    }

    /** Returns the sockets of all other processes. */
    List<Path> others() throws IOException {
        List<Path> others = new ArrayList<>();
        Path own = socket(folder, prefix);
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, SOCKETS)) {
            all.forEach(others::add);
        } catch (NoSuchFileException e) {
            return others; // the folder for temporary files was emptied
        }
        others.remove(own);
        return others;
    }

    /** Passes on connections until {@link #close()}. */
    void accept(Visitors visitors) {
        while (server.isOpen()) {
            SocketChannel channel = null;
            try {
                channel = server.accept();
                visitors.welcome(channel);
            } catch (Throwable e) { // no descriptor, memory or thread is left, or the socket was replaced
                FrameChannel.closeQuietly(channel);
                LockSupport.parkNanos(PAUSE_NANOS); // a pause before the connection, or the next one, is tried again
            }
        }
    }

    /**
     * Listens on a new file if the previous one was deleted. Existing connections stay, but no new ones could be made
     * otherwise.
     */
    @Override
    public void refresh() {
        try {
            if (hasItsSocket()) {
                FileKeeper.touch(socket(folder, prefix));
            } else {
                base.again().locked(PATIENCE_TO_LEAVE, Interrupts.PUT_OFF, () -> {
                    listenAgain();
                    return null;
                });
            }
        } catch (IOException e) {
            warn(e);
        }
    }

    /** Listens on a new file if necessary. The caller holds the lock. */
    private void listenAgain() throws IOException {
        if (left || hasItsSocket()) {
            return;
        }
        UserFolder.make(folder);
        Path socket = socket(folder, prefix);
        if (Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            if (isLive(socket)) {
                throw new IOException("another process has taken its place; close and reopen the domain, and"
                        + " create its queues again");
            }
            Files.deleteIfExists(socket);
        }
        ServerSocketChannel deleted = server;
        listen();
        FrameChannel.closeQuietly(deleted); // last, so that the accepting thread finds the new one
    }

    private void warn(IOException e) {
        if (!warned && !left) {
            warned = true;
            System.getLogger(Rendezvous.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "other processes can no longer reach the XRC domain's queues in this process: its socket "
                                    + socket(folder, prefix) + " was deleted and can't be created again: " + e);
        }
    }

    @Override
    public boolean isOver() {
        return left;
    }

    @Override
    public void close() {
        leave();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // the JVM is about to end
        }
    }

    private void leave() {
        left = true;
        FrameChannel.closeQuietly(server);
        try {
            base.locked(PATIENCE_TO_LEAVE, Interrupts.PUT_OFF, () -> {
                if (hasItsSocket()) {
                    Files.deleteIfExists(socket(folder, prefix));
                }
                removeIfEmpty(folder);
                return null;
            });
        } catch (IOException e) {
            // the next process that joins finds that nobody listens
        }
        FrameChannel.closeQuietly(server); // one that was made at the same time
    }
}
