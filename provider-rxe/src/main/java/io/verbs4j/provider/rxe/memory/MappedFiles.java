/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The files that memory is mapped from and that preserve what is written to it across a power loss. They are held open;
 * each is forced as a whole, which includes writes through a mapping.
 */
public class MappedFiles {
    private static final Path MAPS = Path.of("/proc/self/maps");

    /** File systems whose files are in memory. */
    private static final Set<String> VOLATILE = Set.of("tmpfs", "ramfs", "devtmpfs", "hugetlbfs");

    private static final int FIELDS = 6;
    private static final int SHARED = 3;

    private final List<RandomAccessFile> files = new ArrayList<>();

    /** Creates an empty set. */
    MappedFiles() {}

    /**
     * Opens the files of a range; throws if part of the range is not mapped from a file or the file is not persistent.
     */
    static MappedFiles of(String verb, long addr, long length) {
        MappedFiles made = new MappedFiles();
        try {
            Set<Path> paths = new LinkedHashSet<>();
            String problem = find(addr, length, paths);
            if (problem != null) {
                throw refused(verb, problem, null);
            }
            for (Path path : paths) {
                made.files.add(new RandomAccessFile(path.toFile(), "r"));
            }
            return made;
        } catch (IOException e) {
            made.close();
            throw refused(verb, e.toString(), e);
        }
    }

    private static VerbsException refused(String verb, String problem, Throwable cause) {
        return new VerbsException(
                Errno.EINVAL,
                verb,
                "access has FLUSH_PERSISTENT, but " + problem
                        + "; it needs memory that is a shared mapping of files on a disk",
                cause);
    }

    /** Adds the files of a range; returns what is wrong with it, or null. */
    private static String find(long addr, long length, Set<Path> paths) throws IOException {
        long reached = addr;
        long end = addr + length;
        for (String line : Files.readAllLines(MAPS, StandardCharsets.ISO_8859_1)) {
            String[] fields = line.split(" +", FIELDS); // from-to perms offset device inode path, in ascending order
            int dash = fields[0].indexOf('-');
            long from = Long.parseUnsignedLong(fields[0], 0, dash, 16);
            long to = Long.parseUnsignedLong(fields[0], dash + 1, fields[0].length(), 16);
            if (Long.compareUnsigned(to, reached) <= 0 || Long.compareUnsigned(reached, end) >= 0) {
                continue;
            }
            String place = "the memory at 0x" + Long.toHexString(reached);
            if (Long.compareUnsigned(from, reached) > 0
                    || fields[1].charAt(SHARED) != 's'
                    || fields.length < FIELDS
                    || !fields[FIELDS - 1].startsWith("/")) {
                return place + " is not a shared mapping of a file";
            }
            // The bytes of the name, which were decoded as ISO 8859-1, are decoded again as UTF-8.
            String name = new String(fields[FIELDS - 1].getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
            Path path = Path.of(name);
            long inode = Long.parseLong(fields[4]);
            if (!Files.exists(path) || (Long) Files.getAttribute(path, "unix:ino") != inode) {
                return place + " is mapped from " + name + ", which no longer has that name";
            }
            String type = Files.getFileStore(path).type();
            if (VOLATILE.contains(type)) {
                return place + " is mapped from " + name + ", a file in memory (" + type + ")";
            }
            paths.add(path);
            reached = to;
        }
        return Long.compareUnsigned(reached, end) < 0
                ? "the memory at 0x" + Long.toHexString(reached) + " is not mapped"
                : null;
    }

    /** Returns when everything written would survive a power loss; false if forcing failed. */
    public boolean force() {
        try {
            for (RandomAccessFile file : files) {
                file.getFD().sync(); // not a channel, which an interrupt would close
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    void close() {
        for (RandomAccessFile file : files) {
            try {
                file.close();
            } catch (IOException e) {
                // it was only read
            }
        }
    }
}
