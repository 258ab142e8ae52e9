/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads and writes whole buffers at a position of a file. */
final class FileBytes {
    private FileBytes() {}

    /**
     * Fills a buffer from a file.
     *
     * @return false if the file ended before
     */
    static boolean read(FileChannel file, ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            int n = file.read(bytes, at);
            if (n < 0) {
                return false;
            }
            at += n;
        }
        return true;
    }

    /** Writes all remaining bytes of a buffer. */
    static void write(FileChannel file, ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += file.write(bytes, at);
        }
    }
}
