/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * Maps memory behind a file descriptor of this process: a file, an unnamed file ({@code memfd_create(2)}) or shared
 * memory. The Linux kernel gives each a name by which it can be reopened; a driver's dma-buf has no such name.
 */
public final class FileMemory {
    private static final String VERB = "reg_mr_ex";
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Path DESCRIPTIONS = Path.of("/proc/self/fdinfo");

    /** Mask of the access mode in the flags of {@code open(2)}; 0 is read-only. */
    private static final int ACCESS_MODE = 3;

    private FileMemory() {}

    /** Maps a part of the file; the mapping lives as long as the buffer. */
    public static MappedByteBuffer map(int fd, long offset, long length, boolean writing) {
        Path path = DESCRIPTORS.resolve(Integer.toString(fd));
        if (!Files.isDirectory(DESCRIPTORS)) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, VERB, "mapping a descriptor needs " + DESCRIPTORS + ", which only Linux has");
        }
        if (!Files.exists(path)) {
            throw new VerbsException(Errno.EBADF, VERB, "fd " + fd + " is not an open descriptor of this process");
        }
        if (!Files.isRegularFile(path)) { // opening a pipe could block forever
            throw refused(fd, "does not refer to a file or memory that can be mapped");
        }
        if (writing && mode(fd) == 0) {
            throw new VerbsException(
                    Errno.EACCES, VERB, "access has LOCAL_WRITE, but fd " + fd + " was opened read-only");
        }
        Set<StandardOpenOption> options =
                writing ? Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE) : Set.of(StandardOpenOption.READ);
        boolean interrupted = Thread.interrupted(); // an interrupt would close the channel
        try {
            while (true) {
                try {
                    return map(path, options, fd, offset, length);
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } catch (IOException e) {
            throw new VerbsException(Errno.EACCES, VERB, "fd " + fd + " can't be mapped: " + e, e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static MappedByteBuffer map(Path path, Set<StandardOpenOption> options, int fd, long offset, long length)
            throws IOException {
        boolean writing = options.contains(StandardOpenOption.WRITE);
        try (FileChannel file = FileChannel.open(path, options)) {
            long size = file.size();
            if (offset > size || length > size - offset) { // mapping it would extend the file
                throw refused(
                        fd, "has " + size + " bytes, but fdOffset " + offset + " + length " + length + " is past them");
            }
            if (length > Integer.MAX_VALUE) {
                throw new VerbsException(
                        Errno.EOPNOTSUPP,
                        VERB,
                        "the JVM maps at most 2^31 - 1 bytes at once, not " + length + "; register several regions");
            }
            return file.map(writing ? FileChannel.MapMode.READ_WRITE : FileChannel.MapMode.READ_ONLY, offset, length);
        }
    }

    private static VerbsException refused(int fd, String why) {
        return new VerbsException(Errno.EINVAL, VERB, "fd " + fd + " " + why);
    }

    private static int mode(int fd) {
        try {
            for (String line :
                    Files.readAllLines(DESCRIPTIONS.resolve(Integer.toString(fd)), StandardCharsets.ISO_8859_1)) {
                if (line.startsWith("flags:")) {
                    return Integer.parseInt(line.substring("flags:".length()).trim(), 8) & ACCESS_MODE;
                }
            }
        } catch (IOException e) {
            // it was closed just now: opening it will report that
        }
        return ACCESS_MODE;
    }
}
