/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What memory is: a kernel pins the pages of a region and answers EFAULT where there are none; this device asks Linux' list of
 * mappings. Where there is no such list everything is taken to be there, and to be a file's.
 */
public enum MappedMemory {
    /** Not all of it is there, or usable. */
    ABSENT,

    /** The process' own: it stays until it is unmapped. */
    ANONYMOUS,

    /** Some is a file's, or shared: its pages go away where the file is cut short. */
    FILE;

    private static final Path MAPS = Path.of("/proc/self/maps");

    /** What a range is: all of it must be mapped, readable and, if asked, writable. */
    public static MappedMemory of(long addr, long length, boolean writable) {
        List<String> lines;
        try {
            lines = Files.readAllLines(MAPS, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return FILE;
        }
        MappedMemory kind = ANONYMOUS;
        long reached = addr;
        long end = addr + length;
        for (String line : lines) { // from-to perms offset device inode path, in ascending order
            int dash = line.indexOf('-');
            int space = line.indexOf(' ');
            long from = Long.parseUnsignedLong(line, 0, dash, 16);
            long to = Long.parseUnsignedLong(line, dash + 1, space, 16);
            if (Long.compareUnsigned(to, reached) <= 0) {
                continue;
            }
            boolean usable = line.charAt(space + 1) == 'r' && (!writable || line.charAt(space + 2) == 'w');
            if (Long.compareUnsigned(from, reached) > 0 || !usable) {
                return ABSENT;
            }
            if (hasInode(line, space)) {
                kind = FILE;
            }
            reached = to;
            if (Long.compareUnsigned(reached, end) >= 0) {
                return kind;
            }
        }
        return ABSENT;
    }

    /** Whether a mapping is of something that has an inode: the fourth field from a blank on is not 0. */
    private static boolean hasInode(String line, int blank) {
        int at = blank;
        for (int i = 0; i < 3; i++) {
            at = line.indexOf(' ', at + 1);
        }
        return line.charAt(at + 1) != '0';
    }
}
