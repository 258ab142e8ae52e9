/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Modification time and permissions, as those of the source but without set-user-ID and the like. */
final class FileAttributes {
    private static final int ALL = 0777;

    private FileAttributes() {}

    /** {@return the permissions as in C; readable by all if the file system has none} */
    static int mode(Path file) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view == null) {
            return 0644;
        }
        int mode = 0;
        for (PosixFilePermission one : view.readAttributes().permissions()) {
            mode |= bit(one);
        }
        return mode;
    }

    private static int bit(PosixFilePermission permission) {
        return switch (permission) {
            case OWNER_READ -> 0400;
            case OWNER_WRITE -> 0200;
            case OWNER_EXECUTE -> 0100;
            case GROUP_READ -> 040;
            case GROUP_WRITE -> 020;
            case GROUP_EXECUTE -> 010;
            case OTHERS_READ -> 04;
            case OTHERS_WRITE -> 02;
            case OTHERS_EXECUTE -> 01;
        };
    }

    /** {@return the modification time in ns since 1970} */
    static long mtimeNanos(Path file) throws IOException {
        return Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS);
    }

    /** {@return attributes for a new file that only its owner may access; none if the file system lacks permissions} */
    static FileAttribute<?>[] forOwner(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE))
                }
                : new FileAttribute<?>[0];
    }

    /** Gives a file the attributes of its source. */
    static void set(Path file, Message.Offer source) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (view != null) {
            Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
            for (PosixFilePermission one : PosixFilePermission.values()) {
                if ((source.mode() & ALL & bit(one)) != 0) {
                    permissions.add(one);
                }
            }
            view.setPermissions(permissions);
        }
        Files.setLastModifiedTime(file, FileTime.from(source.mtimeNanos(), TimeUnit.NANOSECONDS));
    }

    /** Writes a folder to disk, if the system supports it, so that a new name survives a loss of power. */
    static void forceFolder(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            System.getLogger(FileAttributes.class.getName())
                    .log(System.Logger.Level.DEBUG, "can't be written to disk: " + folder, e);
        }
    }
}
