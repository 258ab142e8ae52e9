/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/** Copies between addresses that keys stand for: what is one after the other there need not be so in memory. The keys are pinned. */
public final class KeyMemory {
    private KeyMemory() {}

    /**
     * Copies.
     *
     * @param fromKey what {@code from} is an address of; null: of memory itself
     * @param toKey what {@code to} is an address of; null: of memory itself
     * @return false where memory has gone away; part may have been copied
     */
    public static boolean copy(MemoryKey fromKey, long from, MemoryKey toKey, long to, long bytes) {
        return copy(fromKey, from, toKey, to, bytes, false);
    }

    /** As without {@code fragile}, which tells whether memory itself may go away, too. */
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

    /** The memory of the key has gone away. */
    public static final int GONE = -1;

    /** What is in another process is not to be had. */
    public static final int LOST = -2;

    /**
     * Copies from another process.
     *
     * @param from what
     * @param offset which byte of that is the first
     * @param key what {@code to} is an address of, pinned
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

    /** Whether all of a range can be read now; of memory of another process, its first and its last byte. */
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
