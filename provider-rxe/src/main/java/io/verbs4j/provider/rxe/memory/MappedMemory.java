/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.provider.rxe.base.ProcFile;
import java.io.IOException;
import java.util.List;

/**
 * What kind of memory a range is. A kernel pins the pages of a region and fails with EFAULT if there are none; this
 * device reads Linux's list of mappings. Without such a list, all memory counts as {@link #FILE}.
 */
public enum MappedMemory {
    /** Part of it is not mapped or not accessible. */
    ABSENT,

    /** The process's own memory: stays until it is unmapped. */
    ANONYMOUS,

    /**
     * Part of it belongs to a file, is shared or is the kernel's own: its pages may be missing, for instance when the
     * file was truncated.
     */
    FILE;

    private static final int HEXADECIMAL = 16;

    /** Prefixes of the names of the kernel's own mappings. */
    private static final List<String> KERNELS = List.of("[vvar", "[vdso", "[vsyscall", "[uprobes");

    /** Returns the kind of a range. All of it must be mapped, readable and, if {@code writable}, writable. */
    public static MappedMemory of(long addr, long length, boolean writable) {
        try {
            return in(ProcFile.read("/proc/self/maps"), addr, length, writable);
        } catch (IOException e) {
            return FILE;
        }
    }

    /**
     * Returns the kind of a range according to a list of mappings. Each line is {@code from-to perms offset device
     * inode path}, in ascending order.
     */
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

    /**
     * Finds the first line whose mapping ends after an address. Uses a binary search, because a JVM has hundreds of
     * mappings.
     */
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

    /** Returns whether a mapping has an inode: the inode, four fields after the address range, is not 0. */
    private static boolean hasInode(String maps, int blank) {
        return maps.charAt(inode(maps, blank)) != '0';
    }

    /**
     * Returns whether a mapping is one of the kernel's own, such as {@code [vvar]}; some of their pages can't be
     * accessed.
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
