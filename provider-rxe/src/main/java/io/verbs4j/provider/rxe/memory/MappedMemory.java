/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Whether memory is there at all: a kernel pins the pages of a region and answers EFAULT where there are none; this
 * device asks Linux' list of mappings. Where there is no such list everything is taken to be there.
 */
final class MappedMemory {
    private static final Path MAPS = Path.of("/proc/self/maps");

    private MappedMemory() {}

    /** Whether the process has all of a range mapped, readable and, if asked, writable. */
    static boolean isMapped(long addr, long length, boolean writable) {
        List<String> lines;
        try {
            lines = Files.readAllLines(MAPS, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return true;
        }
        long reached = addr;
        long end = addr + length;
        for (String line : lines) { // from-to perms ..., in ascending order
            int dash = line.indexOf('-');
            int space = line.indexOf(' ');
            long from = Long.parseUnsignedLong(line, 0, dash, 16);
            long to = Long.parseUnsignedLong(line, dash + 1, space, 16);
            if (Long.compareUnsigned(to, reached) <= 0) {
                continue;
            }
            boolean usable = line.charAt(space + 1) == 'r' && (!writable || line.charAt(space + 2) == 'w');
            if (Long.compareUnsigned(from, reached) > 0 || !usable) {
                return false;
            }
            reached = to;
            if (Long.compareUnsigned(reached, end) >= 0) {
                return true;
            }
        }
        return false;
    }
}
