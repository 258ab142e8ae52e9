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
 * The folder that processes of one user have in common, which nobody else can enter: {@code verbs4j-{number of the user}} in the folder for
 * temporary files.
 */
public final class UserFolder {
    /** How long whoever opens a domain waits for others that do. One that is stopped in the midst of it holds the lock. */
    public static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private static final long LONGEST_PAUSE_MILLIS = 20;

    /**
     * One thread of the JVM at a time, of all class loaders: the system takes a lock for the whole process, and lets go of it when any of
     * the process's channels to the file is closed. Who has this waits for a limited time only.
     */
    private static final Object WITHIN_JVM = (UserFolder.class.getName() + ".lock").intern();

    private final Path path;

    private UserFolder(Path path) {
        this.path = path;
    }

    /** What is done with the lock held. */
    public interface Action<T> {
        /** Does it. */
        T run() throws IOException;
    }

    /** The folder of the user that this process runs as, in the folder for temporary files. */
    public static UserFolder find() throws IOException {
        return find(Path.of(System.getProperty("java.io.tmpdir")));
    }

    private static UserFolder find(Path temporary) throws IOException {
        // Java does not tell who this process runs as, and users without an entry have the same name, or none: a file
        // that it makes does tell.
        Path mine = Files.createTempFile(temporary, "verbs4j", "");
        Object user;
        try {
            user = Files.getAttribute(mine, "unix:uid");
        } finally {
            Files.delete(mine);
        }
        Path folder = temporary.resolve("verbs4j-" + user);
        make(folder); // or it was there, but whose is it?
        PosixFileAttributes attributes =
                Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isDirectory()
                || !attributes.permissions().equals(OWNER_ONLY)
                || !user.equals(Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS))) {
            throw new AccessDeniedException(
                    folder.toString(), null, "it is not a folder of this user's alone; remove it");
        }
        return new UserFolder(folder);
    }

    /** Makes a folder that only its owner can enter, where there is none. */
    public static void make(Path folder) throws IOException {
        try {
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } catch (FileAlreadyExistsException e) {
            // made by another process
        }
    }

    /**
     * What a file in a folder of the user's says. Nothing is opened but a file: to open a FIFO waits, and a link leads
     * anywhere. An interrupt does not matter.
     *
     * @param most most bytes to read
     * @return the text; null where there is no file, or something else, or more than that
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

    /** Where it is. */
    public Path path() {
        return path;
    }

    /** The same, made again where somebody has deleted it, as programs do that tidy up folders for temporary files. */
    public UserFolder again() throws IOException {
        return find(path.getParent());
    }

    /** Does something that no other process of the user does at the same time. */
    public <T> T locked(long patience, Interrupts interrupts, Action<T> action) throws IOException {
        synchronized (WITHIN_JVM) {
            Path file = path.resolve("lock");
            long end = System.nanoTime() + patience;
            while (true) {
                try (FileChannel channel =
                        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                    Object opened = key(file);
                    try (FileLock lock = lock(file, channel, end, interrupts)) {
                        assert lock.isValid(); // held until the end of this
                        // A lock on a file that somebody has deleted, to tidy up, keeps nobody out.
                        if (opened != null && opened.equals(key(file))) {
                            return action.run();
                        }
                    }
                }
                if (System.nanoTime() - end > 0) {
                    throw new LateException(file + " is another file each time it is locked");
                }
            }
        }
    }

    /** What tells a file from all others; null where there is none. */
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
                    throw new LateException("another process holds " + file
                            + " and does not go on; is it stopped? 'fuser " + file + "' tells which");
                }
                wait.pause(pause);
            }
        }
    }

    private static FileLock attempt(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) { // of this JVM, but not of this class
            return null;
        }
    }
}
