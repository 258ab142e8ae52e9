/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.files;

import io.verbs4j.provider.rxe.base.Interrupts;
import io.verbs4j.provider.rxe.base.LateException;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The folder that the processes of one user share and that no other user can enter: {@code verbs4j-{number of the
 * user}} in the folder for temporary files.
 */
public final class UserFolder {
    /**
     * How long opening a domain waits for other processes that open one. A process stopped in the middle of it holds
     * the lock.
     */
    public static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private static final long LONGEST_PAUSE_MILLIS = 20;

    /**
     * Admits one thread of the JVM at a time, across all class loaders: the system locks for the whole process, and
     * unlocks when any of the process's channels to the file closes. Holders wait for a limited time only.
     */
    private static final Object WITHIN_JVM = (UserFolder.class.getName() + ".lock").intern();

    private final Path path;

    private UserFolder(Path path) {
        this.path = path;
    }

    /** An action to run while holding the lock. */
    public interface Action<T> {
        /** Runs the action. */
        T run() throws IOException;
    }

    /**
     * Returns the folder of the user that this process runs as, in the folder for temporary files. Creates it if
     * necessary.
     */
    public static UserFolder find() throws IOException {
        return find(Path.of(System.getProperty("java.io.tmpdir")));
    }

    private static UserFolder find(Path temporary) throws IOException {
        // Java does not reveal the process's user, and users without an entry share one name or have none: the owner of
        // a newly created file identifies the user.
        Path mine = Files.createTempFile(temporary, "verbs4j", "");
        Object user;
        try {
            user = Files.getAttribute(mine, "unix:uid");
        } finally {
            Files.delete(mine);
        }
        Path folder = temporary.resolve("verbs4j-" + user);
        make(folder); // an existing folder may belong to someone else
        PosixFileAttributes attributes =
                Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isDirectory()
                || !attributes.permissions().equals(OWNER_ONLY)
                || !user.equals(Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS))) {
            throw new AccessDeniedException(
                    folder.toString(), null, "it is not a folder that only this user can access; remove it");
        }
        return new UserFolder(folder);
    }

    /** Creates a folder that only its owner can enter, unless it exists. */
    public static void make(Path folder) throws IOException {
        try {
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } catch (FileAlreadyExistsException e) {
            // another process created it
        }
    }

    /**
     * Reads a file in a folder of the user. Opens only regular files, because opening a FIFO waits and a link may lead
     * anywhere. Interrupts have no effect.
     *
     * @param most maximum number of bytes
     * @return the text; null if the file does not exist, is not a regular file, or is larger than {@code most}
     */
    public static String read(Path file, int most) throws IOException {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!found.isRegularFile() || found.size() > most) {
                return null;
            }
            try (FileInputStream in = new FileInputStream(file.toFile())) {
                byte[] bytes = in.readNBytes(most + 1);
                return bytes.length > most ? null : new String(bytes, StandardCharsets.UTF_8);
            }
        } catch (NoSuchFileException | FileNotFoundException e) {
            return null;
        }
    }

    /** {@return the folder's path} */
    public Path path() {
        return path;
    }

    /**
     * Returns the folder, recreated if it was deleted, for instance by a program that cleans folders for temporary
     * files.
     */
    public UserFolder again() throws IOException {
        return find(path.getParent());
    }

    /** Runs an action that no other process of the user may run at the same time. */
    public <T> T locked(long patience, Interrupts interrupts, Action<T> action) throws IOException {
        synchronized (WITHIN_JVM) {
            Path file = path.resolve("lock");
            long end = System.nanoTime() + patience;
            while (true) {
                try (FileChannel channel =
                        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                    Object opened = key(file);
                    try (FileLock lock = lock(file, channel, end, interrupts)) {
                        assert lock.isValid(); // held until the end of this block
                        // A lock on a file that a cleanup has deleted keeps nobody out.
                        if (opened != null && opened.equals(key(file))) {
                            return action.run();
                        }
                    }
                }
                if (System.nanoTime() - end > 0) {
                    throw new LateException(file + " keeps being replaced while it is locked");
                }
            }
        }
    }

    /** Returns the key that identifies a file, or null if the file does not exist. */
    private static Object key(Path file) throws IOException {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static FileLock lock(Path file, FileChannel channel, long end, Interrupts interrupts) throws IOException {
        try (Interrupts.Wait wait = interrupts.begin()) {
            for (long pause = 1; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
                FileLock lock = attempt(channel);
                if (lock != null) {
                    return lock;
                }
                if (System.nanoTime() - end > 0) {
                    throw new LateException("another process holds the lock on " + file
                            + " and makes no progress; is it stopped? 'fuser " + file + "' shows which one it is");
                }
                wait.pause(pause);
            }
        }
    }

    private static FileLock attempt(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) { // held by this JVM, but not by this class
            return null;
        }
    }
}
