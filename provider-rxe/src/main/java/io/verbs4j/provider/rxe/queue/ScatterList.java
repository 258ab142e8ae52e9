/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.AccessFlags;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.provider.rxe.memory.KeyMemory;
import io.verbs4j.provider.rxe.memory.LastKey;
import io.verbs4j.provider.rxe.memory.Lender;
import io.verbs4j.provider.rxe.memory.MemoryKey;
import io.verbs4j.provider.rxe.memory.MemoryKeys;
import io.verbs4j.provider.rxe.memory.RemoteMemory;
import java.util.Arrays;

/**
 * A copy of a work request's scatter/gather list: pieces of local memory that together hold a message.
 *
 * <p>Keys are checked when the memory is accessed, not when the request is posted, as in hardware. Not thread-safe.
 */
public final class ScatterList {
    /** Everything was copied. */
    public static final int OK = 0;

    /** The message is longer than the list. */
    public static final int TOO_SHORT = -1;

    /** A key does not allow it, or the memory has gone away. */
    public static final int NOT_ALLOWED = -2;

    /** The other side's memory has gone away, or its key does not allow the access. */
    public static final int OTHER_NOT_ALLOWED = -3;

    /** Maximum number of pieces that the device supports. */
    public static final int MAX_PIECES = 32;

    private final long[] addr;
    private final int[] length;
    private final int[] lkey;
    private int count;
    private long total;
    private boolean inline;

    /** The key of the only piece, pinned from {@link #hold} to {@link #letGo}; otherwise null. */
    private MemoryKey held;

    /** Whether the memory for inline data may go away. */
    private final boolean inlineMayGoAway;

    ScatterList(int capacity) {
        this(capacity, false);
    }

    ScatterList(int capacity, boolean inlineMayGoAway) {
        this.inlineMayGoAway = inlineMayGoAway;
        addr = new long[capacity];
        length = new int[capacity];
        lkey = new int[capacity];
    }

    /**
     * Copies a work request's list; returns false if it is too long, or an element is null or has a negative length.
     */
    boolean set(ScatterGatherElement[] elements, int number) {
        inline = false;
        count = 0;
        total = 0;
        if (number < 0 || number > addr.length || number > (elements == null ? 0 : elements.length)) {
            return false;
        }
        for (int i = 0; i < number; i++) {
            ScatterGatherElement e = elements[i];
            int bytes = e == null ? -1 : e.length();
            if (bytes < 0) {
                return false;
            }
            addr[i] = e.addr();
            length[i] = bytes;
            lkey[i] = e.lkey();
            total += bytes;
        }
        count = number;
        return true;
    }

    /** Sets the list to one element, whose length is not negative. */
    void set(long address, int bytes, int key) {
        inline = false;
        addr[0] = address;
        length[0] = bytes;
        lkey[0] = key;
        count = 1;
        total = bytes;
    }

    /** Sets the list to one piece of the device's own memory, which needs no key. */
    void setInline(long address, int bytes) {
        inline = true;
        addr[0] = address;
        length[0] = bytes;
        count = 1;
        total = bytes;
    }

    /** Copies another list. */
    void copyFrom(ScatterList other) {
        System.arraycopy(other.addr, 0, addr, 0, other.count);
        System.arraycopy(other.length, 0, length, 0, other.count);
        System.arraycopy(other.lkey, 0, lkey, 0, other.count);
        count = other.count;
        total = other.total;
        inline = other.inline;
    }

    /** Copies the first {@code bytes} of another list, which has at least as many. */
    void copyFrom(ScatterList other, long bytes) {
        copyFrom(other);
        long left = bytes;
        for (int i = 0; i < count; i++) {
            length[i] = (int) Math.min(length[i], left);
            left -= length[i];
        }
        total = bytes;
    }

    /** {@return whether there are no pieces} */
    public boolean isEmpty() {
        return count == 0;
    }

    /** {@return the key of the first piece, or 0 if there is none} */
    public int firstKey() {
        return count == 0 || inline ? 0 : lkey[0];
    }

    /** {@return the number of pieces} */
    public int count() {
        return count;
    }

    /** {@return the total length of all pieces, in bytes} */
    public long total() {
        return total;
    }

    /**
     * Returns whether the keys allow the whole list to be read (or written), and the memory is present as far as can be
     * checked.
     */
    public boolean isAllowed(MemoryKeys keys, ProtectionDomain pd, boolean writing) {
        for (int i = 0; i < count && !inline; i++) {
            if (length[i] != 0) {
                MemoryKey key = pin(i, keys, pd, addr[i], length[i], writing);
                if (key == null) {
                    return false;
                }
                try {
                    if (key.mayGoAway() && !KeyMemory.isReadable(key, addr[i], length[i])) {
                        return false;
                    }
                } finally {
                    key.unpin();
                }
            }
        }
        return true;
    }

    /**
     * Checks the list for reading, like {@link #isAllowed}. On success a single key stays pinned until {@link #letGo}
     * and is not looked up again; nothing that waits for the key may be done meanwhile.
     */
    public boolean hold(LastKey last, MemoryKeys keys, ProtectionDomain pd) {
        if (count != 1 || inline || length[0] == 0) {
            return isAllowed(keys, pd, false);
        }
        MemoryKey key = keys.pin(last, lkey[0], pd, null, addr[0], length[0], 0);
        if (key == null) {
            return false;
        }
        if (key.mayGoAway() && !isThere(key)) {
            return false;
        }
        held = key;
        return true;
    }

    /** Returns whether the only piece can be read; otherwise, or on an exception, unpins its key. */
    private boolean isThere(MemoryKey key) {
        boolean there = false;
        try {
            there = KeyMemory.isReadable(key, addr[0], length[0]);
        } finally {
            if (!there) {
                key.unpin();
            }
        }
        return there;
    }

    /** Undoes {@link #hold}. */
    public void letGo() {
        MemoryKey key = held;
        if (key != null) {
            held = null;
            key.unpin();
        }
    }

    /**
     * Copies from contiguous memory into the pieces.
     *
     * @param offset offset of the bytes in the message
     * @return {@link #OK} or another constant of this class
     */
    public int scatter(MemoryKeys keys, ProtectionDomain pd, long offset, long from, long bytes) {
        return move(keys, pd, offset, from, bytes, null, true);
    }

    /**
     * Copies from a program's memory into the pieces; {@code from} is an address of {@code fromKey}, which is pinned.
     */
    public int scatter(MemoryKeys keys, ProtectionDomain pd, long offset, long from, long bytes, MemoryKey fromKey) {
        return move(keys, pd, offset, from, bytes, fromKey, true);
    }

    /**
     * Copies from another process into the pieces.
     *
     * @param offset offset of the bytes in the message
     * @return {@link #OK} or another constant of this class; {@link #OTHER_NOT_ALLOWED} if the bytes can't be fetched
     */
    public int scatter(MemoryKeys keys, ProtectionDomain pd, long offset, RemoteMemory from) {
        int i = 0;
        while (i < count && offset >= length[i]) {
            offset -= length[i++];
        }
        long done = 0;
        while (done < from.bytes()) {
            if (i == count) {
                return TOO_SHORT;
            }
            long n = Math.min(from.bytes() - done, length[i] - offset);
            if (n > 0) {
                long name = addr[i] + offset;
                MemoryKey key = pin(i, keys, pd, name, n, true);
                if (key == null) {
                    return NOT_ALLOWED;
                }
                int result;
                try {
                    result = KeyMemory.fetch(from, done, key, name, n);
                } finally {
                    unpin(key);
                }
                if (result != KeyMemory.OK) {
                    return result == KeyMemory.GONE ? NOT_ALLOWED : OTHER_NOT_ALLOWED;
                }
                done += n;
            }
            offset = 0;
            i++;
        }
        return OK;
    }

    /**
     * Lends a part of the message to another process: writes a list of where its pieces are in memory.
     *
     * @param offset offset of the part in the message
     * @param to address to write the address and the length of each piece to
     * @param most maximum number of pieces
     * @param until what the keys pass to the lender when they end
     * @return the number of pieces; {@link #NOT_ALLOWED}; or 0 if the part can't be lent: it has more pieces, is
     *     inline, or is in memory that may go away
     */
    public int lend(
            MemoryKeys keys,
            ProtectionDomain pd,
            long offset,
            long bytes,
            long to,
            int most,
            Lender lender,
            long until) {
        int i = 0;
        while (i < count && offset >= length[i]) {
            offset -= length[i++];
        }
        int pieces = 0;
        long left = bytes;
        while (left > 0) {
            long n = i == count || inline ? 0 : Math.min(left, length[i] - offset);
            if (n > 0) {
                MemoryKey key = pin(i, keys, pd, addr[i] + offset, n, false);
                if (key == null) {
                    return NOT_ALLOWED;
                }
                try {
                    int added = KeyMemory.list(key, addr[i] + offset, n, to, pieces, most);
                    if (added == 0) {
                        return 0;
                    }
                    pieces += added;
                    key.lend(lender, until);
                } finally {
                    unpin(key);
                }
                left -= n;
            } else if (i == count || inline) {
                return 0;
            }
            offset = 0;
            i++;
        }
        return pieces;
    }

    /**
     * Copies from the pieces into contiguous memory.
     *
     * @param offset offset of the bytes in the message
     * @return {@link #OK} or another constant of this class
     */
    public int gather(MemoryKeys keys, ProtectionDomain pd, long offset, long to, long bytes) {
        return move(keys, pd, offset, to, bytes, null, false);
    }

    /** Copies from the pieces into a program's memory; {@code to} is an address of {@code toKey}, which is pinned. */
    public int gather(MemoryKeys keys, ProtectionDomain pd, long offset, long to, long bytes, MemoryKey toKey) {
        return move(keys, pd, offset, to, bytes, toKey, false);
    }

    private int move(
            MemoryKeys keys,
            ProtectionDomain pd,
            long offset,
            long otherName,
            long bytes,
            MemoryKey otherKey,
            boolean into) {
        int i = 0;
        while (i < count && offset >= length[i]) {
            offset -= length[i++];
        }
        while (bytes > 0) {
            if (i == count) {
                return TOO_SHORT;
            }
            long n = Math.min(bytes, length[i] - offset);
            if (n > 0) {
                long name = addr[i] + offset;
                MemoryKey key = inline ? null : pin(i, keys, pd, name, n, into);
                if (key == null && !inline) {
                    return NOT_ALLOWED;
                }
                boolean copied;
                try {
                    copied = into
                            ? KeyMemory.copy(otherKey, otherName, key, name, n, inlineMayGoAway)
                            : KeyMemory.copy(key, name, otherKey, otherName, n, inlineMayGoAway);
                    if (!copied && otherKey != null) {
                        return whoIsGone(into ? otherKey : key, into ? otherName : name, n, into);
                    }
                } finally {
                    unpin(key);
                }
                if (!copied) {
                    return NOT_ALLOWED;
                }
                otherName += n;
                bytes -= n;
            }
            offset = 0;
            i++;
        }
        return OK;
    }

    /**
     * Determines which side a failed copy between two programs' memory is due to. Only the source can be probed,
     * because writing would change memory.
     */
    private static int whoIsGone(MemoryKey fromKey, long from, long bytes, boolean fromOther) {
        return KeyMemory.isReadable(fromKey, from, bytes) == fromOther ? NOT_ALLOWED : OTHER_NOT_ALLOWED;
    }

    /**
     * Copies a message from one list into another, piece by piece and directly.
     *
     * @param skipped number of leading bytes of the message that are not copied
     * @return {@link #OK} or another constant of this class; {@code from} is the other side
     */
    public static int copy(
            ScatterList from,
            MemoryKeys fromKeys,
            ProtectionDomain fromPd,
            long skipped,
            ScatterList to,
            MemoryKeys toKeys,
            ProtectionDomain toPd,
            long toOffset) {
        long skip = skipped;
        for (int i = 0; i < from.count; i++) {
            if (from.length[i] <= skip) {
                skip -= from.length[i];
                continue;
            }
            long name = from.addr[i] + skip;
            long bytes = from.length[i] - skip;
            skip = 0;
            MemoryKey key = from.inline ? null : from.pin(i, fromKeys, fromPd, name, bytes, false);
            if (key == null && !from.inline) {
                return OTHER_NOT_ALLOWED;
            }
            int result;
            try {
                result = to.scatter(toKeys, toPd, toOffset, name, bytes, key);
            } finally {
                from.unpin(key);
            }
            if (result != OK) {
                return result;
            }
            toOffset += bytes;
        }
        return OK;
    }

    private MemoryKey pin(int i, MemoryKeys keys, ProtectionDomain pd, long from, long bytes, boolean writing) {
        return held != null ? held : keys.pin(lkey[i], pd, from, bytes, writing ? AccessFlags.LOCAL_WRITE : 0);
    }

    private void unpin(MemoryKey key) {
        if (key != null && key != held) {
            key.unpin();
        }
    }

    @Override
    public String toString() {
        return count + " pieces, " + total + " bytes, " + Arrays.toString(Arrays.copyOf(length, count));
    }
}
