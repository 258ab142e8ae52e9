/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import io.verbs4j.tools.base.ToolException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file to be sent, as it was when the command began.
 *
 * @param path where it is
 * @param size its length in bytes
 * @param mtimeNanos its modification time in ns since 1970
 * @param mode its permissions as in C
 */
record SourceFile(Path path, long size, long mtimeNanos, int mode) {
    /**
     * Inspects a file.
     *
     * @throws ToolException if it can't be sent
     */
    static SourceFile of(Path path) {
        if (!Files.exists(path)) {
            throw ToolException.usage(path + ": no such file");
        }
        if (Files.isDirectory(path)) {
            throw ToolException.usage(path + ": is a folder; name its files, or pack it with tar");
        }
        if (!Files.isRegularFile(path)) {
            throw ToolException.usage(path + ": is not a regular file");
        }
        if (!Files.isReadable(path)) {
            throw ToolException.usage(path + ": is not readable");
        }
        try {
            return look(path);
        } catch (IOException e) {
            throw ToolException.failed(path + ": " + e.getMessage(), e);
        }
    }

    private static SourceFile look(Path path) throws IOException {
        return new SourceFile(path, Files.size(path), FileAttributes.mtimeNanos(path), FileAttributes.mode(path));
    }

    String name() {
        return path.getFileName().toString();
    }

    /** Fills a buffer from the open file, and flips it. */
    static void read(FileChannel file, ByteBuffer block, long position) throws IOException, FileRefused {
        if (!FileBytes.read(file, block, position)) {
            throw new FileRefused("became shorter while it was being copied");
        }
        block.flip();
    }

    /** Throws an exception if the file has changed since the beginning. */
    void requireUnchanged() throws FileRefused {
        try {
            SourceFile now = look(path);
            if (now.size == size && now.mtimeNanos == mtimeNanos) {
                return;
            }
        } catch (IOException e) {
            throw new FileRefused("can no longer be read: " + e.getMessage(), e);
        }
        throw new FileRefused("changed while it was being copied; copy it again when no program writes to it");
    }
}
