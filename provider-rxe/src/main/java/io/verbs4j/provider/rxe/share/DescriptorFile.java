/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** What descriptors of this process are of. */
public final class DescriptorFile {
    private DescriptorFile() {}

    private static Path path(int fd) {
        return Path.of("/proc/self/fd/" + fd);
    }

    /** Equal for descriptors of the same file; throws where it is no open descriptor. */
    public static Object key(int fd) throws IOException {
        return Files.readAttributes(path(fd), BasicFileAttributes.class).fileKey();
    }

    /** The user that a path belongs to. */
    static int user(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:uid");
    }

    /** The user that made the file. */
    static int user(int fd) throws IOException {
        return user(path(fd));
    }
}
