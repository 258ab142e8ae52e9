/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.natives.memory.NativeMemory;

/** Copies between addresses of keys, whose memory need not be contiguous. The keys are pinned. */
public final class KeyMemory {
    /** Size of an entry of {@link #list}: address and length. */
    public static final int PIECE = 2 * Long.BYTES;

    private KeyMemory() {}

    /**
     * Copies between two keys.
     *
     * @param fromKey key that {@code from} is an address of, or null for a plain memory address
     * @param toKey key that {@code to} is an address of, or null for a plain memory address
     * @return false if memory has gone away; part may have been copied
     */
    public static boolean copy(MemoryKey fromKey, long from, MemoryKey toKey, long to, long bytes) {
        return copy(fromKey, from, toKey, to, bytes, false);
    }

    /** Copies between two keys; {@code fragile} says whether memory that is not named by a key may go away. */
    public static boolean copy(MemoryKey fromKey, long from, MemoryKey toKey, long to, long bytes, boolean fragile) {
        boolean mayGoAway = fragile || fromKey != null && fromKey.mayGoAway() || toKey != null && toKey.mayGoAway();
        if (mayGoAway && (ForeignCopy.isForeign(fromKey) || ForeignCopy.isForeign(toKey))) {
            return ForeignCopy.copy(fromKey, from, toKey, to, bytes);
        }
        long left = bytes;
        while (left > 0) {
            long n = fromKey == null ? left : fromKey.run(from, left);
            n = toKey == null ? n : toKey.run(to, n);
            long source = fromKey == null ? from : fromKey.at(from);
            long target = toKey == null ? to : toKey.at(to);
            if (!FragileMemory.copy(source, target, n, mayGoAway)) {
                return false;
            }
            from += n;
            to += n;
            left -= n;
        }
        return true;
    }

    /** Everything was copied. */
    public static final int OK = 0;

    /** The key's memory has gone away. */
    public static final int GONE = -1;

    /** The memory in the other process can't be read. */
    public static final int LOST = -2;

    /**
     * Copies from another process.
     *
     * @param from memory to copy from
     * @param offset offset of the first byte in {@code from}
     * @param key key that {@code to} is an address of, pinned
     * @return {@link #OK} or another constant of this class; part may have been copied
     */
    public static int fetch(RemoteMemory from, long offset, MemoryKey key, long to, long bytes) {
        if (key.foreign() != null) {
            return key.foreign().fetch(from, offset, key.foreignAt(to), bytes);
        }
        long left = bytes;
        while (left > 0) {
            long n = key.run(to, left);
            long target = key.at(to);
            if (target != RegionMemory.NOWHERE && !from.fetch(offset, target, n)) {
                return key.mayGoAway() && !FragileMemory.touch(target, n, true) ? GONE : LOST;
            }
            offset += n;
            to += n;
            left -= n;
        }
        return OK;
    }

    /**
     * Writes where a range of a key is in memory, for a process that copies it.
     *
     * @param to address of the list
     * @param before number of entries that the list has already
     * @param most maximum number of entries of the list
     * @return the number of entries added; 0 if they do not fit, or the memory may go away, or is nowhere
     */
    public static int list(MemoryKey key, long name, long bytes, long to, int before, int most) {
        if (key.mayGoAway()) {
            return 0;
        }
        int pieces = 0;
        for (long left = bytes; left > 0; pieces++) {
            long n = key.run(name, left);
            long at = key.at(name);
            if (before + pieces == most || key.isNowhere()) {
                return 0;
            }
            NativeMemory.putLong(to + (long) (before + pieces) * PIECE, at);
            NativeMemory.putLong(to + (long) (before + pieces) * PIECE + Long.BYTES, n);
            name += n;
            left -= n;
        }
        return pieces;
    }

    /**
     * Returns whether all of a range can be read now; of another process's memory only the first and the last byte are
     * checked.
     */
    public static boolean isReadable(MemoryKey key, long from, long bytes) {
        if (ForeignCopy.isForeign(key)) {
            return key.foreign().canRead(key.foreignAt(from), bytes);
        }
        long left = bytes;
        while (left > 0) {
            long n = key == null ? left : key.run(from, left);
            if (!FragileMemory.isReadable(key == null ? from : key.at(from), n)) {
                return false;
            }
            from += n;
            left -= n;
        }
        return true;
    }
}
