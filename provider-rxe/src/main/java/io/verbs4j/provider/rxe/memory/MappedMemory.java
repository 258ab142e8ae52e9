/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.provider.rxe.base.ProcFile;
import java.io.IOException;
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

    /**
     * Some is a file's, or shared, or the kernel's own: its pages may not be there, as where the file was cut short.
     */
    FILE;

    private static final int HEXADECIMAL = 16;

    /** How the names of the kernel's own mappings begin. */
    private static final List<String> KERNELS = List.of("[vvar", "[vdso", "[vsyscall", "[uprobes");

    /** What a range is: all of it must be mapped, readable and, if asked, writable. */
    public static MappedMemory of(long addr, long length, boolean writable) {
        try {
            return in(ProcFile.read("/proc/self/maps"), addr, length, writable);
        } catch (IOException e) {
            return FILE;
        }
    }

    /** What a range is by a list of mappings. A line is {@code from-to perms offset device inode path}, and they ascend. */
    static MappedMemory in(String maps, long addr, long length, boolean writable) {
        MappedMemory kind = ANONYMOUS;
        long reached = addr;
        long end = addr + length;
        for (int line = lineBehind(maps, addr); line < maps.length(); line = nextLine(maps, line)) {
            int space = maps.indexOf(' ', line);
            boolean usable = maps.charAt(space + 1) == 'r' && (!writable || maps.charAt(space + 2) == 'w');
            if (Long.compareUnsigned(from(maps, line), reached) > 0 || !usable) {
                return ABSENT;
            }
            if (hasInode(maps, space) || isOfKernel(maps, space)) {
                kind = FILE;
            }
            reached = to(maps, line);
            if (Long.compareUnsigned(reached, end) >= 0) {
                return kind;
            }
        }
        return ABSENT;
    }

    /** The first line of a mapping that ends behind an address. A JVM has hundreds: they are not looked through, but halved. */
    private static int lineBehind(String maps, long addr) {
        int low = 0;
        int high = maps.length();
        while (low < high) {
            int line = maps.lastIndexOf('\n', (low + high) / 2 - 1) + 1;
            if (Long.compareUnsigned(to(maps, line), addr) > 0) {
                high = line;
            } else {
                low = nextLine(maps, line);
            }
        }
        return low;
    }

    private static int nextLine(String maps, int line) {
        return maps.indexOf('\n', line) + 1;
    }

    private static long from(String maps, int line) {
        return Long.parseUnsignedLong(maps, line, maps.indexOf('-', line), HEXADECIMAL);
    }

    private static long to(String maps, int line) {
        return Long.parseUnsignedLong(maps, maps.indexOf('-', line) + 1, maps.indexOf(' ', line), HEXADECIMAL);
    }

    /** Whether a mapping is of something that has an inode: the fourth field from a blank on is not 0. */
    private static boolean hasInode(String maps, int blank) {
        return maps.charAt(inode(maps, blank)) != '0';
    }

    /**
     * Whether a mapping is one of the kernel's own ({@code [vvar]} and the like): some of their pages can't be
     * touched.
     */
    private static boolean isOfKernel(String maps, int blank) {
        int name = maps.indexOf('[', inode(maps, blank));
        int end = nextLine(maps, blank);
        return name >= 0 && (end == 0 || name < end) && KERNELS.stream().anyMatch(k -> maps.startsWith(k, name));
    }

    private static int inode(String maps, int blank) {
        int at = blank;
        for (int i = 0; i < 3; i++) {
            at = maps.indexOf(' ', at + 1);
        }
        return at + 1;
    }
}
