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
 * The file of a domain, kept open as long as the domain exists.
 *
 * <p>The file is identified by device and inode, regardless of its path. The system may reuse an inode number after the
 * file is deleted, but not while it is open. Opening the file also checks that this user may read and write it, as
 * {@code verbs-rdma-core} does for the kernel's domains.
 */
final class DomainFile implements AutoCloseable {
    /** Limit for a file that is replaced during every attempt. */
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

    /** Opens a file; {@code create} creates it if it does not exist. */
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
        throw new IOException(file + " keeps being replaced while it is opened");
    }

    /**
     * Tries to open a file; returns null if it must be tried again. A channel does not reveal its file: it is the
     * path's file if the path has the same key before and after.
     */
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

    /**
     * Returns the key of a file: device and inode, or the path on a system without them; null if the file does not
     * exist.
     */
    private static Object key(Path file) throws IOException {
        try {
            Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            return key != null ? key : file.toRealPath();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** {@return the key that identifies the file while it is open} */
    Object key() {
        return key;
    }

    /** Returns whether other processes identify the file by the same key. */
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
