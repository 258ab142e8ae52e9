/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * The state of an incomplete file, in its own file, big-endian: the bytes {@code vcps}, a version, the size of a block,
 * then 8 bytes each for the source's size and time; then the CRC32C of each good block. It is locked, so that two
 * receivers do not write to one file.
 */
final class PartState implements Closeable {
    private static final int MAGIC = 0x76637073;
    private static final int VERSION = 1;
    private static final int HEADER = 28;

    private final FileChannel file;

    private PartState(FileChannel file) {
        this.file = file;
    }

    /**
     * Opens the state file, creates it if it does not exist, and locks it.
     *
     * @throws FileRefused if another process has locked it
     */
    static PartState open(Path path) throws IOException, FileRefused {
        FileChannel file = FileChannel.open(
                path,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS));
        boolean done = false;
        try {
            FileLock lock = lock(file);
            if (lock == null) {
                throw new FileRefused("another process is receiving this file; let it finish, or choose another name");
            }
            done = true;
            return new PartState(file);
        } finally {
            if (!done) {
                file.close();
            }
        }
    }

    private static FileLock lock(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** {@return why the state belongs to another source, or an empty string if it does not} */
    String difference(Message.Offer source) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(HEADER);
        if (file.size() < HEADER || !FileBytes.read(file, header, 0)) {
            return "";
        }
        header.flip();
        if (header.getInt() != MAGIC || header.getInt() != VERSION || header.getInt() != CopySizes.BLOCK) {
            return "the partial file was written by another version of this program";
        }
        long size = header.getLong();
        if (size != source.size()) {
            return "the file has changed since the last attempt: it had " + size + " bytes and has " + source.size();
        }
        return header.getLong() == source.mtimeNanos()
                ? ""
                : "the file has changed since the last attempt: its modification time differs";
    }

    /** {@return the number of blocks with a checksum} */
    long blocks() throws IOException {
        return Math.max(0, file.size() - HEADER) / Integer.BYTES;
    }

    /** {@return the CRC32C of a block that has one} */
    int crc(long index) throws IOException {
        ByteBuffer crc = ByteBuffer.allocate(Integer.BYTES);
        boolean unused = FileBytes.read(file, crc, HEADER + index * Integer.BYTES);
        return crc.getInt(0);
    }

    boolean isOpen() {
        return file.isOpen();
    }

    /** Starts over without blocks. */
    void reset(Message.Offer source) throws IOException {
        file.truncate(0);
        FileBytes.write(
                file,
                ByteBuffer.allocate(HEADER)
                        .putInt(MAGIC)
                        .putInt(VERSION)
                        .putInt(CopySizes.BLOCK)
                        .putLong(source.size())
                        .putLong(source.mtimeNanos())
                        .flip(),
                0);
    }

    /** Keeps only this many checksums. */
    void cut(long blocks) throws IOException {
        file.truncate(HEADER + blocks * Integer.BYTES);
    }

    /** Stores the checksum of the next block, which was written. */
    void add(long index, int crc) throws IOException {
        FileBytes.write(file, ByteBuffer.allocate(Integer.BYTES).putInt(0, crc), HEADER + index * Integer.BYTES);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
