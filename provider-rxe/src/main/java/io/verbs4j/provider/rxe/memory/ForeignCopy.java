/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/** Copies between addresses of keys when the memory of one or both is in another process. The keys are pinned. */
final class ForeignCopy {
    private ForeignCopy() {}

    /** Returns whether a key stands for memory of another process; the key may be null. */
    static boolean isForeign(MemoryKey key) {
        return key != null && key.foreign() != null;
    }

    /** Copies as {@link KeyMemory#copy(MemoryKey, long, MemoryKey, long, long)} does. */
    static boolean copy(MemoryKey fromKey, long from, MemoryKey toKey, long to, long bytes) {
        long left = bytes;
        while (left > 0) {
            long n = fromKey == null ? left : fromKey.run(from, left);
            n = toKey == null ? n : toKey.run(to, n);
            if (!copyRun(fromKey, from, toKey, to, n)) {
                return false;
            }
            from += n;
            to += n;
            left -= n;
        }
        return true;
    }

    /** Copies a range that is contiguous on both sides. */
    private static boolean copyRun(MemoryKey fromKey, long from, MemoryKey toKey, long to, long bytes) {
        if (!isForeign(toKey)) {
            long target = toKey == null ? to : toKey.at(to);
            return target == RegionMemory.NOWHERE || fromKey.foreign().read(fromKey.foreignAt(from), target, bytes);
        }
        ForeignMemory target = toKey.foreign();
        long toAddress = toKey.foreignAt(to);
        if (isForeign(fromKey)) {
            return fromKey.foreign().copy(fromKey.foreignAt(from), target, toAddress, bytes);
        }
        long source = fromKey == null ? from : fromKey.at(from);
        return source == RegionMemory.NOWHERE ? target.clear(toAddress, bytes) : target.write(source, toAddress, bytes);
    }
}
