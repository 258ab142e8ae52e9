/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Set;

/**
 * A file that is being received. It has another name, in the same folder, until it is complete and its checksum is
 * verified. Not thread-safe.
 */
final class IncomingFile implements Closeable {
    /** Called now and then during long work. */
    interface Tick {
        void tick() throws ConnectionLost;
    }

    private static final int BLOCK = CopySizes.BLOCK;

    private final Path target;
    private final Path part;
    private final Path stateFile;
    private final Message.Offer source;
    private final PartState state;
    private final FileChannel file;

    /** Whether the target already has the right length; its contents may be the same. */
    private boolean finished;

    private String why;
    private long bytes;
    private MessageDigest digest = Checksums.sha256();

    private IncomingFile(Path target, Message.Offer source) throws IOException, FileRefused {
        this.target = target;
        this.source = source;
        part = target.resolveSibling(TargetFolder.PREFIX + target.getFileName() + TargetFolder.PART);
        stateFile = target.resolveSibling(TargetFolder.PREFIX + target.getFileName() + TargetFolder.STATE);
        state = PartState.open(stateFile);
        boolean done = false;
        try {
            file = FileChannel.open(
                    part,
                    Set.of(
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            LinkOption.NOFOLLOW_LINKS),
                    FileAttributes.forOwner(part));
            done = true;
        } finally {
            if (!done) {
                state.close();
            }
        }
    }

    /**
     * Opens a file, and finds out how much of it is already there.
     *
     * @param target where it is to be
     * @param source the sender's description of the file
     */
    static IncomingFile open(Path target, Message.Offer source) throws IOException, FileRefused {
        IncomingFile incoming = new IncomingFile(target, source);
        boolean done = false;
        try {
            incoming.look();
            done = true;
            return incoming;
        } finally {
            if (!done) {
                incoming.close();
            }
        }
    }

    private void look() throws IOException {
        why = state.difference(source);
        long there = Math.min(state.blocks() * BLOCK, Math.min(file.size(), source.size()));
        bytes = why.isEmpty() ? there - (there == source.size() ? 0 : there % BLOCK) : 0;
        boolean isThere = Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS);
        if (bytes == 0 && isThere && Files.size(target) == source.size() && source.size() > 0) {
            finished = true;
            bytes = source.size();
        }
    }

    /** {@return how many bytes from the start of the file seem to be there} */
    long bytes() {
        return bytes;
    }

    /** {@return whether these bytes are those of a complete file} */
    boolean isFinished() {
        return finished;
    }

    /** {@return why the existing bytes can't be used, or an empty string} */
    String why() {
        return why;
    }

    /** {@return the checksum of the existing bytes, up to the first bad block} */
    byte[] prefix(Tick tick) throws IOException, ConnectionLost {
        try (FileChannel whole = finished ? FileChannel.open(target, StandardOpenOption.READ) : null) {
            FileChannel from = finished ? whole : file;
            ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
            long good = 0;
            while (good < bytes) {
                block.clear().limit(CopySizes.blockBytes(bytes, good / BLOCK));
                if (!FileBytes.read(from, block, good)) {
                    break;
                }
                block.flip();
                if (!finished && Checksums.crc(block) != state.crc(good / BLOCK)) {
                    break;
                }
                good += block.remaining();
                digest.update(block);
                tick.tick();
            }
            bytes = good;
        }
        return Checksums.current(digest);
    }

    /** Continues after the existing bytes, which must be all of {@link #bytes()} or none. */
    void begin(long from) throws IOException {
        if (finished && from == source.size()) {
            return;
        }
        if (from == 0 || finished) {
            bytes = 0;
            finished = false;
            digest = Checksums.sha256();
            state.reset(source);
        }
        file.truncate(bytes);
        state.cut(CopySizes.blocks(bytes));
    }

    /**
     * Writes the next block.
     *
     * @param index which one
     * @param block its bytes
     * @param crc their checksum at the sender
     * @param zeros whether they are all zeros, so that a hole can replace them
     * @throws FileRefused if they are not what was sent
     */
    void write(long index, ByteBuffer block, int crc, boolean zeros) throws IOException, FileRefused {
        int own = Checksums.crc(block);
        if (own != crc) {
            throw new FileRefused(String.format(
                    "%s differs: its CRC32C is %08x, and was %08x at the sender; the blocks before it are kept",
                    where(index), own, crc));
        }
        digest.update(block.duplicate());
        if (!zeros) {
            FileBytes.write(file, block, bytes);
        }
        state.add(index, crc);
        bytes += CopySizes.blockBytes(source.size(), index);
    }

    private String where(long index) {
        long from = index * BLOCK;
        return "block " + index + " (bytes " + from + " to " + (from + CopySizes.blockBytes(source.size(), index) - 1)
                + ")";
    }

    /**
     * Verifies the file, and gives it its name, time and permissions.
     *
     * @param sha256 its checksum at the sender
     * @throws FileRefused if the checksums differ; nothing of the file is kept then
     */
    void finish(byte[] sha256) throws IOException, FileRefused {
        byte[] own = digest.digest();
        if (!Arrays.equals(own, sha256)) {
            String first = finished ? "" : firstDifference();
            discard();
            throw new FileRefused("the copy differs: its SHA-256 is " + Checksums.hex(own) + ", and was "
                    + Checksums.hex(sha256) + " at the sender; " + first + "the partial copy was deleted");
        }
        if (finished) {
            FileAttributes.set(target, source);
            discard();
            return;
        }
        if (file.size() < source.size()) {
            file.write(ByteBuffer.allocate(1), source.size() - 1); // it ends with a hole
        }
        FileAttributes.set(part, source);
        file.force(true);
        file.close();
        try {
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
        }
        FileAttributes.forceFolder(target.toAbsolutePath().getParent());
        Files.deleteIfExists(stateFile);
    }

    /** Searches the written file for the first bad block, by the checksums of the blocks. */
    private String firstDifference() throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
        long blocks = CopySizes.blocks(source.size());
        for (long i = 0; i < blocks; i++) {
            block.clear().limit(CopySizes.blockBytes(source.size(), i));
            boolean whole = FileBytes.read(file, block, i * BLOCK);
            if (!whole || Checksums.crc(block.flip()) != state.crc(i)) {
                return "the first block that differs is " + where(i) + "; ";
            }
        }
        return "every block has the CRC32C that the sender reported; ";
    }

    /** Deletes the incomplete file. */
    void discard() throws IOException {
        Files.deleteIfExists(part);
        Files.deleteIfExists(stateFile);
    }

    /** Closes the file. An incomplete one is kept to be continued, unless it is empty. */
    @Override
    public void close() throws IOException {
        try {
            if (state.isOpen() && state.blocks() == 0) {
                discard();
            }
        } finally {
            file.close();
            state.close();
        }
    }
}
