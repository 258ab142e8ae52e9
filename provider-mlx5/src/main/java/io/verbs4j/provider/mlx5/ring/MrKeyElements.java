/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.natives.memory.NativeMemory;

/**
 * Writes the elements of a send queue that register memory with keys and invalidate them. They are like those of
 * {@link WindowElements}, with a list of pieces instead of the one entry.
 *
 * <pre>
 * 16 how the key changes  flags(1) reserved(3) KLM octowords(2) offset(2)  mask of what changes(8)  reserved(32)
 * 64 the key's new value  free(1) reserved(1) access(1) reserved(1) queue pair, key(4) reserved(4) flags(4)
 *                         address(8) length(8)  reserved(32)
 * 128 its pieces          length(4) lkey(4) address(8), of each, padded to a multiple of four
 * </pre>
 *
 * Such an element may be longer than the queue pair was created for. It then takes the room of several requests.
 */
final class MrKeyElements {
    /** The maximum number of pieces in an element, whose size field has 6 bits. */
    static final int MAX_PIECES = 52;

    /** The length of an element without pieces, in segments. */
    private static final int SEGMENTS = 8;

    /** The device reads pieces in groups of four. */
    private static final int TOGETHER = 4;

    private static final int CHECK_BOUND = 1 << 6;
    private static final long MASK_INVALIDATE = 1 << 8;
    private static final long BY_PEER = 1 << 24;
    static final long NO_QP = 0xffffff00L;

    static final int WRITES = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;
    static final int RIGHTS =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    private final SendElements ring;
    private final MrKeys keys;

    /** The change of the request that begins at each block; null before the first. */
    private volatile MrKey.Change[] changes;

    MrKeyElements(SendElements ring, MrKeys keys) {
        this.ring = ring;
        this.keys = keys;
    }

    /** Explains what is wrong with a request; returns null if nothing is. */
    String broken(SendWorkRequest wr) {
        return MrKeyRules.broken(ring, keys, wr);
    }

    /** Returns the key that a number belongs to, or null. */
    MrKey find(int key) {
        return keys.find(key);
    }

    /** Returns the number of entries for a number of pieces, including padding. */
    static int entries(int pieces) {
        return pieces + TOGETHER - 1 & -TOGETHER;
    }

    /** Returns the number of blocks of an element with that many pieces. */
    static int blocks(int pieces) {
        return (SEGMENTS + entries(pieces)) * Wqe.SEGMENT / Wqe.BLOCK;
    }

    private MrKey.Change change(int block) {
        MrKey.Change[] known = changes;
        if (known == null) {
            known = new MrKey.Change[ring.mask + 1];
            changes = known;
        }
        MrKey.Change c = known[block & ring.mask];
        if (c == null) {
            c = new MrKey.Change();
            known[block & ring.mask] = c;
        }
        c.block = block;
        c.of = null;
        return c;
    }

    /** Writes a registration; returns 0 or an errno. From now on the key has its new value. */
    int register(SendWorkRequest wr) {
        FastRegister what = wr.fastRegister();
        if (what == null || !(what.mr() instanceof MrKeyHandle handle)) {
            return Errno.EINVAL;
        }
        MrKey key = handle.key;
        int access = what.access() & ~AccessFlags.OPTIONAL_RANGE;
        int newKey = what.key();
        if (!key.isOpenOf(keys)
                || !MrKey.isSame(newKey, key.key())
                || (access & WRITES) != 0 && (access & AccessFlags.LOCAL_WRITE) == 0) {
            return Errno.EINVAL;
        }
        MrPieces pieces;
        MrKey.Change change;
        try {
            pieces = key.spare();
            change = change(ring.block);
        } catch (OutOfMemoryError e) {
            return Errno.ENOMEM;
        }
        if (!pieces.read(wr.sgList(), wr.numSge()) || pieces.areOf(keys)) {
            return Errno.EINVAL;
        }
        if ((access & ~RIGHTS) != 0) {
            return Errno.EOPNOTSUPP;
        }
        int error = ring.take(blocks(pieces.count));
        if (error != 0) {
            return error;
        }
        pieces.key = newKey;
        pieces.base = what.addr();
        pieces.access = access;
        int number = ring.head;
        long at = ring.open(wr.wrId(), wr.sendFlags(), key.key());
        close(at, write(ring.afterTransport(at), pieces));
        key.registered(change, pieces, ring, number);
        return 0;
    }

    private long write(long at, MrPieces pieces) {
        long how = WindowElements.INLINE | WindowElements.CHECK_FREE;
        long mask = WindowElements.MASK_FREE
                | WindowElements.MASK_KEY
                | WindowElements.MASK_LENGTH
                | WindowElements.MASK_ADDRESS
                | WindowElements.MASK_ACCESS
                | MASK_INVALIDATE;
        int entries = entries(pieces.count);
        long seg = WindowElements.zeros(ring, ring.words(at, how << 56 | (long) entries << 16, mask), 2);
        long owner = NO_QP | pieces.key & 0xff;
        seg = ring.words(seg, (long) WindowElements.access(pieces.access) << 40 | owner, BY_PEER);
        seg = WindowElements.zeros(ring, ring.words(seg, pieces.base, pieces.length), 2);
        return pieces.write(ring, seg, entries);
    }

    /** Writes an invalidation; returns 0 or an errno. The caller has checked that there is room. */
    int invalidate(long wrId, int flags, int rkey, MrKey key) {
        MrKey.Change change;
        try {
            change = change(ring.block);
        } catch (OutOfMemoryError e) {
            return Errno.ENOMEM;
        }
        int number = ring.head;
        long at = ring.open(wrId, flags, rkey);
        long how = WindowElements.INLINE | CHECK_BOUND;
        long seg = ring.words(ring.afterTransport(at), how << 56, WindowElements.MASK_FREE);
        seg = WindowElements.zeros(ring, seg, 2);
        seg = ring.words(seg, (long) WindowElements.FREE << 56, 0);
        close(at, WindowElements.zeros(ring, seg, 3));
        key.invalidated(change, rkey, ring, number);
        return 0;
    }

    private void close(long at, long seg) {
        ring.close(at, seg, Wqe.OP_UMR);
        ring.fenceNext();
    }

    /** Returns whether the element at a block, which changes a key, is one of these. */
    boolean isOne(int block) {
        return (NativeMemory.getByte(how(block)) & WindowElements.TRANSLATION_OFFSET) == 0;
    }

    private long how(int block) {
        return ring.afterTransport(ring.elementAt(block));
    }

    /** Returns the {@link WcOpcode} of the request at a block. */
    int opcode(int block) {
        return NativeMemory.getNetShort(how(block) + Integer.BYTES) != 0 ? WcOpcode.REG_MR : WcOpcode.LOCAL_INV;
    }

    /** Undoes the request at a block, which has failed, if it is one of these. */
    void failed(int block) {
        MrKey.Change[] known = changes;
        if (known == null || !ring.isUmr(block) || !isOne(block) || KeyElement.isOne(ring, block)) {
            return;
        }
        MrKey.Change c = known[block & ring.mask];
        if (c != null && c.of != null) {
            c.of.failed(c);
        }
    }

    /** Undoes the requests written from one block to another, which are not posted. */
    void undo(int from, int to) {
        MrKey.Change[] known = changes;
        if (known == null) {
            return;
        }
        for (int b = to - 1; b - from >= 0; b--) {
            MrKey.Change c = known[b & ring.mask];
            if (c != null && c.block == b && c.of != null) {
                c.of.undo(c);
                c.of = null;
            }
        }
    }

    /** Forgets the changes, because blocks are counted from 0 again. */
    void reset() {
        MrKey.Change[] known = changes;
        for (int i = 0; known != null && i < known.length; i++) {
            if (known[i] != null) {
                known[i].of = null;
            }
        }
    }
}
