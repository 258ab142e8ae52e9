/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.AccessFlags;
import io.verbs4j.AdviseMrAdvice;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.PageSize;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Prefetches pages of regions. Source: {@code ibv_advise_mr(3)}. */
public final class MemoryAdvice {
    private static final String VERB = "advise_mr";

    /**
     * Has 8 bytes for each page of this process. Source: {@code Documentation/admin-guide/mm/pagemap.rst} of the Linux
     * kernel.
     */
    private static final String PAGE_MAP = "/proc/self/pagemap";

    private static final int ENTRIES = 512;

    private MemoryAdvice() {}

    /** Follows an advice. All elements are checked before any page is brought in; the check that fails throws. */
    public static void follow(
            MemoryKeys keys, ProtectionDomain pd, int advice, ScatterGatherElement[] list, int count) {
        for (int i = 0; i < count; i++) {
            pinned(keys, Domains.root(pd), advice, list[i], i).unpin();
        }
        for (int i = 0; i < count; i++) {
            MemoryKey key = pinned(keys, Domains.root(pd), advice, list[i], i);
            try {
                bring(key, advice, key.at(list[i].addr()), list[i].length());
            } finally {
                key.unpin();
            }
        }
    }

    private static MemoryKey pinned(
            MemoryKeys keys, ProtectionDomain pd, int advice, ScatterGatherElement element, int index) {
        MemoryKey key = keys.pin(element.lkey());
        int errno = key == null ? Errno.ENOENT : judge(key, pd, advice, element);
        if (errno == 0) {
            return key;
        }
        if (key != null) {
            key.unpin();
        }
        throw new VerbsException(errno, VERB, "sgList[" + index + "], " + element + ": " + why(errno));
    }

    private static int judge(MemoryKey key, ProtectionDomain pd, int advice, ScatterGatherElement element) {
        if (key.pd() != pd) {
            return Errno.EPERM;
        }
        if (key.pages() == null || element.length() < 0) {
            return Errno.EINVAL;
        }
        if (!key.allows(pd, element.addr(), element.length(), 0)) {
            return Errno.EFAULT;
        }
        boolean writes = advice == AdviseMrAdvice.PREFETCH_WRITE;
        return writes && !key.allows(pd, element.addr(), element.length(), AccessFlags.LOCAL_WRITE) ? Errno.EPERM : 0;
    }

    private static String why(int errno) {
        return switch (errno) {
            case Errno.ENOENT -> "no region has that lkey";
            case Errno.EFAULT -> "it reaches beyond the region";
            case Errno.EPERM -> "the region belongs to another domain, or lacks LOCAL_WRITE for PREFETCH_WRITE";
            default -> "the region is not registered ON_DEMAND, or the length is negative";
        };
    }

    private static void bring(MemoryKey key, int advice, long address, long bytes) {
        if (advice == AdviseMrAdvice.PREFETCH_NO_FAULT) {
            notePresent(key.pages(), address, bytes);
        } else if (FragileMemory.touch(address, bytes, advice == AdviseMrAdvice.PREFETCH_WRITE)) {
            key.pages().prefetched(address, bytes);
        } else {
            throw new VerbsException(Errno.EFAULT, VERB, "some of the memory is gone because its file was truncated");
        }
    }

    /**
     * Records the pages that are in memory. If the system does not report them, none are recorded: it is only advice.
     */
    private static void notePresent(DemandPages pages, long address, long bytes) {
        long end = bytes == 0 ? address : address + bytes;
        ByteBuffer entries = ByteBuffer.allocate(ENTRIES * Long.BYTES).order(ByteOrder.nativeOrder());
        try (RandomAccessFile map = new RandomAccessFile(PAGE_MAP, "r")) { // not a channel: interrupts close these
            long page = address / PageSize.BYTES;
            while (page * PageSize.BYTES < end) {
                long left = (end - 1) / PageSize.BYTES - page + 1;
                map.seek(page * Long.BYTES);
                int read = map.read(entries.array(), 0, (int) Math.min(left, ENTRIES) * Long.BYTES);
                if (read < Long.BYTES) {
                    return;
                }
                for (int i = 0; i < read / Long.BYTES; i++, page++) {
                    if (entries.getLong(i * Long.BYTES) < 0) { // the top bit: the page is present
                        pages.prefetched(page * PageSize.BYTES, 1);
                    }
                }
            }
        } catch (IOException e) {
            // no page map: none are recorded
        }
    }
}
