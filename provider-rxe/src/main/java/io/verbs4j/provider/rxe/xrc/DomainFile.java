/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;

/**
 * The file of a domain, which is held open as long as the domain is.
 *
 * <p>A file is told from all others by device and inode, by whatever path it is opened. The number of an inode is given to a new file
 * when the old one is deleted, but not while that is open. To open it also asks the system whether this user may: to read and to write, as
 * {@code verbs-rdma-core} does for the kernel's domains.
 */
final class DomainFile implements AutoCloseable {
    /** A file that is another one each time is not looked at for ever. */
    private static final int ATTEMPTS = 100;

    private static final FileAttribute<?>[] OWNER_ONLY = Rendezvous.isPossible()
            ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];

    private final FileChannel channel;
    private final Object key;

    private DomainFile(FileChannel channel, Object key) {
        this.channel = channel;
        this.key = key;
    }

    /** Opens a file, which {@code create} makes where it is not there. */
    static DomainFile open(Path file, boolean create) throws IOException {
        Set<OpenOption> options = new HashSet<>(Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
        if (create) {
            options.add(StandardOpenOption.CREATE);
        }
        for (int i = 0; i < ATTEMPTS; i++) {
            DomainFile opened = attempt(file, options);
            if (opened != null) {
                return opened;
            }
        }
        throw new IOException(file + " is another file each time it is looked at");
    }

    /** A channel does not tell which file it is of: it is that of the path where that is the same before and after. */
    private static DomainFile attempt(Path file, Set<OpenOption> options) throws IOException {
        Object before = key(file);
        FileChannel channel = FileChannel.open(file, options, OWNER_ONLY);
        boolean complete = false;
        try {
            Object after = key(file);
            complete = after != null && after.equals(before);
            return complete ? new DomainFile(channel, after) : null;
        } finally {
            if (!complete) {
                channel.close();
            }
        }
    }

    /** Device and inode, or the path where the system has no such; null where there is no file. */
    private static Object key(Path file) throws IOException {
        try {
            Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            return key != null ? key : file.toRealPath();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** What tells it from all others while it is open. */
    Object key() {
        return key;
    }

    /** Whether other processes know it by the same. */
    boolean isShareable() {
        return !(key instanceof Path);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // nothing was written
        }
    }
}
