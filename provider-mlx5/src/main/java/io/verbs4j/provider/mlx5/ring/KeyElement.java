/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.natives.memory.NativeMemory;

/**
 * Writes an element that changes an mlx5dv key, piece by piece, with the lock of the queue held: {@link #begin},
 * {@link #change}, the layout, {@link #end}.
 *
 * <pre>
 * 16 how the key changes  flags(1) reserved(3) entries(2) reserved(2)  mask of what changes(8)  reserved(32)
 * 64 the key's new value  reserved(2) access(1) reserved(1) queue pair, key(4) reserved(16) length(8)  reserved(32)
 * 128 a list              length(4) lkey(4) address(8), of each, padded to a multiple of four
 *     or rounds           length of a round(4) 0x400(4) number of rounds(4) reserved(2) number of pieces(2);
 *                         distance(2) length(2) lkey(4) address(8), of each, padded to a multiple of four
 * </pre>
 */
public final class KeyElement {
    /** Stands for a property that does not change. */
    public static final int NONE = -1;

    /**
     * The opcode in completions of such a request, {@code MLX5DV_WC_UMR}: {@link io.verbs4j.mlx5dv.Mlx5WcOpcode#UMR}.
     */
    static final int WC_OPCODE = 135;

    private static final int ROUNDS = 0x400;

    private final SendRing ring;
    private long at;
    private long seg;
    private int key;
    private int left;
    private int entries;

    KeyElement(SendRing ring) {
        this.ring = ring;
    }

    /** Returns whether the element at a block changes such a key, by its flags, which no other change has. */
    static boolean isOne(SendElements ring, int block) {
        return NativeMemory.getByte(ring.afterTransport(ring.elementAt(block))) == WindowElements.INLINE;
    }

    /**
     * Begins an element.
     *
     * @param count number of entries in its layout; 0 for none
     * @return 0 or an errno, in which case nothing is written
     */
    public int begin(long wrId, int flags, int lkey, int count) {
        if (count > MrKeyElements.MAX_PIECES) {
            return Errno.EINVAL;
        }
        int error = ring.take(MrKeyElements.blocks(count));
        if (error == 0) {
            key = lkey;
            entries = MrKeyElements.entries(count);
            left = entries;
            at = ring.open(wrId, flags, lkey);
        }
        return error;
    }

    /**
     * Writes what changes.
     *
     * @param access access flags of the verbs, or {@link #NONE}
     * @param length length of the layout in bytes, or {@link #NONE}
     */
    public void change(int access, long length) {
        long mask = WindowElements.MASK_FREE
                | WindowElements.MASK_KEY
                | (access == NONE ? 0 : WindowElements.MASK_ACCESS)
                | (length == NONE ? 0 : WindowElements.MASK_LENGTH);
        seg = ring.words(ring.afterTransport(at), (long) WindowElements.INLINE << 56 | (long) entries << 16, mask);
        seg = WindowElements.zeros(ring, seg, 2);
        long rights = access == NONE ? 0 : WindowElements.access(access);
        seg = ring.words(seg, rights << 40 | MrKeyElements.NO_QP | key & 0xff, 0);
        seg = ring.words(seg, 0, length == NONE ? 0 : length);
        seg = WindowElements.zeros(ring, seg, 2);
    }

    /** Writes a piece of a list. */
    public void piece(int lkey, long addr, int length) {
        entry(Wqe.words(length, lkey), addr);
    }

    /** Writes the first entry of a layout of rounds. */
    public void rounds(int count, int length, int pieces) {
        entry(Wqe.words(length, ROUNDS), Wqe.words(count, pieces));
    }

    /** Writes a piece of each round. */
    public void pieceOfRound(int lkey, long addr, int length, int skip) {
        entry(Wqe.words(length + skip << 16 | length, lkey), addr);
    }

    private void entry(long first, long second) {
        seg = ring.words(seg, first, second);
        left--;
    }

    /** Ends the element; the next one waits for it. */
    public void end() {
        seg = WindowElements.zeros(ring, seg, left);
        ring.close(at, seg, Wqe.OP_UMR);
        ring.fenceNext();
        ring.inline = true;
    }
}
