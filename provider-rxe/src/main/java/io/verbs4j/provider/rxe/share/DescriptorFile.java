/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Queries files by their descriptors in this process. */
public final class DescriptorFile {
    private DescriptorFile() {}

    private static Path path(int fd) {
        return Path.of("/proc/self/fd/" + fd);
    }

    /** Returns a key that is equal for descriptors of the same file. Throws if the descriptor is not open. */
    public static Object key(int fd) throws IOException {
        return Files.readAttributes(path(fd), BasicFileAttributes.class).fileKey();
    }

    /** Returns the user that owns a path. */
    static int user(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:uid");
    }

    /** Returns the user that created the file. */
    static int user(int fd) throws IOException {
        return user(path(fd));
    }
}
