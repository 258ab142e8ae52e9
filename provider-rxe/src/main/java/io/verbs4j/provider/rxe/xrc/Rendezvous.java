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
 * Where the processes that share a domain find each other: a folder in the {@link UserFolder}, with a socket for each.
 *
 * <pre>
 *   lock               held while a process looks around and takes a number, or leaves
 *   {device and file}/
 *     0a7              socket of the process whose queues have the numbers 0x0a7001 to 0x0a7fff
 * </pre>
 *
 * <p>A socket that nobody listens at is of a process that has died. Whoever joins a domain removes those, and the folders of domains that
 * nobody has any more. What a cleaner of temporary files removes is made again, by {@link FileKeeper}.
 */
final class Rendezvous implements FileKeeper.Kept, AutoCloseable {
    /** Bits of a queue's number that are its process's own. */
    static final int LOCAL_BITS = 12;

    private static final int PROCESSES = 1 << 24 - LOCAL_BITS;
    private static final String SOCKETS = "[0-9a-f][0-9a-f][0-9a-f]";

    /** Whoever leaves does not wait for long: what it leaves behind is removed by the next that joins. */
    private static final long PATIENCE_TO_LEAVE = TimeUnit.SECONDS.toNanos(1);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final UserFolder base;
    private final Path folder;
    private final int prefix;

    /** Another one after its file was deleted; replaced with the lock of the folder held. */
    private volatile ServerSocketChannel server;

    /** What tells the file of {@link #server} from all others: it is not used for another one before that is closed. */
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

    /** Whether this system has what is needed. */
    static boolean isPossible() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    }

    /** Decides whether to go on, knowing whether other processes have the domain. */
    interface Condition {
        /** Throws where the domain must not be opened. */
        void check(boolean exists);
    }

    /** Takes whoever connects. */
    interface Visitors {
        /** Takes one; to close it is this one's task, unless this throws. */
        void welcome(SocketChannel channel) throws IOException;
    }

    /** Joins the processes of a domain. */
    static Rendezvous join(Object identity, String device, Condition condition) throws IOException {
        return join(identity, device, condition, UserFolder.PATIENCE);
    }

    /** As the other, with a limit to the wait for processes that join or leave at the same time. */
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
        throw new IOException("all " + (PROCESSES - 1) + " numbers for processes are taken");
    }

    /** Listens at a new file. The lock is held. */
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

    /** What tells a file from all others; null where there is none. */
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

    /** Removes what processes left behind that were killed. The lock is held. */
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

    /** Whether it is a folder of a domain: others are not this class's. */
    private static boolean isDomain(Path folder) {
        return folder.getFileName().toString().indexOf('-') >= 0
                && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
    }

    private static void removeIfEmpty(Path folder) throws IOException {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException e) {
            // others are in it
        }
    }

    private static Path socket(Path folder, int number) {
        return folder.resolve(HexFormat.of().toHexDigits(number, 3));
    }

    /** The sockets of processes that live; those of the dead are removed. The lock is held. */
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
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) { // fails where we lack something
            channel.configureBlocking(false);
            try {
                return channel.connect(UnixDomainSocketAddress.of(socket));
            } catch (ConnectException e) {
                return false;
            } catch (IOException e) {
                return Files.exists(socket); // somebody listens, but has not accepted those who came before
            }
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
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, SOCKETS)) {
            all.forEach(others::add);
        } catch (NoSuchFileException e) {
            return others; // somebody has emptied the folder for temporary files
        }
        others.remove(own);
        return others;
    }

    /** Hands on who connects, until {@link #close()}. */
    void accept(Visitors visitors) {
        while (server.isOpen()) {
            SocketChannel channel = null;
            try {
                channel = server.accept();
                visitors.welcome(channel);
            } catch (Throwable e) { // no descriptor, no memory, no thread, or there is another one by now
                FrameChannel.closeQuietly(channel);
                LockSupport.parkNanos(PAUSE_NANOS); // it still waits to be accepted, or the next one does
            }
        }
    }

    /**
     * Listens at a new file where somebody has deleted the one that there was: connections that there are stay, but
     * nobody could make one any more.
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

    /** The lock is held. */
    private void listenAgain() throws IOException {
        if (left || hasItsSocket()) {
            return;
        }
        UserFolder.make(folder);
        Path socket = socket(folder, prefix);
        if (Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            if (isLive(socket)) {
                throw new IOException("another process has taken its place meanwhile; close the domain and open it"
                        + " again, and make its queues anew");
            }
            Files.deleteIfExists(socket);
        }
        ServerSocketChannel deleted = server;
        listen();
        FrameChannel.closeQuietly(deleted); // last: who accepts takes the new one then
    }

    private void warn(IOException e) {
        if (!warned && !left) {
            warned = true;
            System.getLogger(Rendezvous.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "other processes do not reach the XRC domain's queues in this one any more: its socket "
                                    + socket(folder, prefix) + " was deleted, and can't be made again: " + e);
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
            // whoever comes next finds that nobody listens
        }
        FrameChannel.closeQuietly(server); // one that was made at the same time
    }
}
