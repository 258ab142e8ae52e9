/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.VerbsException;

/**
 * Changes a {@link Mlx5Mkey}: the memory it refers to, the access it allows and the signatures of its data. Properties
 * that are not set remain unchanged. Later requests wait for this one.
 *
 * <p>The queue pair must be of type RC, created with {@link Mlx5SendOps#MKEY_CONFIGURE}. {@link Mlx5SendOps#MR_LIST} or
 * {@link Mlx5SendOps#MR_INTERLEAVED}, which older libraries support as well, suffice to set access together with a
 * layout.
 *
 * <p>If libmlx5 writes the request, its elements and signatures must fit into the queue pair's
 * {@link io.verbs4j.QpCap#maxInlineData()}: 16 bytes for each element, 16 for the common part of rounds, 64 for
 * signatures. Source: mlx5dv_wr_mkey_configure(3), mlx5dv_wr_mr_interleaved(3).
 */
public final class Mlx5MkeyRequest extends Mlx5SendRequest {
    private static final String LAYOUT = "mlx5dv_wr_set_mkey_layout";
    private static final int SHORT = 0xffff;

    /** Stands for a property that is not set. */
    static final int NONE = -1;

    private Mlx5Mkey mkey;
    private int confFlags;
    private int access = NONE;
    private ScatterGatherElement[] list;
    private Mlx5Interleaved[] interleaved;
    private int repeatCount;
    private Mlx5SigBlock signatures;

    /** Creates a request that changes nothing yet. */
    public Mlx5MkeyRequest() {}

    /**
     * Sets the request's id and flags.
     *
     * @param wrId the id that its completion carries
     * @param sendFlags {@link io.verbs4j.SendFlags} bits
     * @return this
     */
    public Mlx5MkeyRequest request(long wrId, int sendFlags) {
        name(wrId, sendFlags);
        return this;
    }

    /** {@return the key} */
    public Mlx5Mkey mkey() {
        return mkey;
    }

    /**
     * Sets the key to change.
     *
     * @param value a key of the queue pair's protection domain
     * @return this
     */
    public Mlx5MkeyRequest mkey(Mlx5Mkey value) {
        mkey = value;
        return this;
    }

    /** {@return {@link Mlx5MkeyConfFlags} bits} */
    public int confFlags() {
        return confFlags;
    }

    /**
     * Sets the flags.
     *
     * @param value {@link Mlx5MkeyConfFlags} bits
     * @return this
     */
    public Mlx5MkeyRequest confFlags(int value) {
        confFlags = value;
        return this;
    }

    /**
     * Sets the access that the key allows.
     *
     * @param value bits of {@link AccessFlags}: LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for others
     */
    public Mlx5MkeyRequest access(int value) {
        int known = AccessFlags.LOCAL_WRITE
                | AccessFlags.REMOTE_WRITE
                | AccessFlags.REMOTE_READ
                | AccessFlags.REMOTE_ATOMIC;
        if ((value & ~known) != 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "mlx5dv_wr_set_mkey_access_flags",
                    "access is " + AccessFlags.toString(value)
                            + "; a key takes LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE and REMOTE_ATOMIC");
        }
        access = value;
        return this;
    }

    /**
     * Makes the key refer to pieces of memory, one after the other.
     *
     * @param elements the pieces; not copied, so leave them unchanged until the request has been posted
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for no pieces, or more than 65535
     */
    public Mlx5MkeyRequest list(ScatterGatherElement... elements) {
        requireSome(elements.length);
        list = elements;
        interleaved = null;
        return this;
    }

    /**
     * Makes the key refer to rounds: some bytes of each piece, then the bytes of the next round, which begin further on
     * in each piece.
     *
     * @param rounds number of rounds
     * @param pieces the pieces; not copied, so leave them unchanged until the request has been posted
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for no rounds, for no pieces or more than 65535, and for a piece that
     *     has no bytes, or more than 0xffff including those that it skips
     */
    public Mlx5MkeyRequest interleaved(int rounds, Mlx5Interleaved... pieces) {
        requireSome(pieces.length);
        if (rounds < 1) {
            throw new VerbsException(Errno.EINVAL, LAYOUT, "rounds is " + rounds + "; pass at least 1");
        }
        for (Mlx5Interleaved piece : pieces) {
            int bytes = piece.values.bytesCount();
            int skip = piece.values.bytesSkip();
            if (bytes < 1 || skip < 0 || skip > SHORT || bytes > SHORT - skip) {
                throw new VerbsException(
                        Errno.EINVAL,
                        LAYOUT,
                        "a piece has " + bytes + " bytes and skips " + skip
                                + "; it needs at least one byte, and both together must be 65535 at most");
            }
        }
        interleaved = pieces;
        repeatCount = rounds;
        list = null;
        return this;
    }

    private static void requireSome(int count) {
        if (count == 0 || count > SHORT) {
            throw new VerbsException(Errno.EINVAL, LAYOUT, "the layout has " + count + " pieces; pass 1 to 65535");
        }
    }

    /**
     * Sets the signatures of the data. Since rdma-core 36.
     *
     * @param value the signatures; null leaves them unchanged
     * @return this
     */
    public Mlx5MkeyRequest signatures(Mlx5SigBlock value) {
        signatures = value;
        return this;
    }

    /**
     * Clears everything except id, flags and key.
     *
     * @return this
     */
    public Mlx5MkeyRequest clear() {
        confFlags = 0;
        access = NONE;
        list = null;
        interleaved = null;
        signatures = null;
        return this;
    }

    // ---- for writing the request

    int access() {
        return access;
    }

    ScatterGatherElement[] list() {
        return list;
    }

    Mlx5Interleaved[] interleaved() {
        return interleaved;
    }

    int repeatCount() {
        return repeatCount;
    }

    Mlx5SigBlock signatures() {
        return signatures;
    }

    /** Returns the number of setters that the request needs. */
    int setters() {
        return (access == NONE ? 0 : 1) + (list == null && interleaved == null ? 0 : 1) + (signatures == null ? 0 : 1);
    }

    /** Returns the number of entries that the layout occupies in the element; 0 without a layout. */
    int entries() {
        return list != null ? list.length : interleaved != null ? interleaved.length + 1 : 0;
    }

    /** Returns whether the key has room for the layout, and no piece is null or empty. */
    boolean hasValidLayout() {
        if (entries() > mkey.entries) {
            return false;
        }
        for (int i = 0; list != null && i < list.length; i++) {
            if (list[i] == null || list[i].length() <= 0) {
                return false;
            }
        }
        for (int i = 0; interleaved != null && i < interleaved.length; i++) {
            if (interleaved[i] == null) {
                return false;
            }
        }
        return true;
    }

    /** Returns the number of bytes in each round. */
    int roundLength() {
        int sum = 0;
        for (Mlx5Interleaved piece : interleaved) {
            sum += piece.values.bytesCount();
        }
        return sum;
    }

    /** Returns the number of bytes of the layout. */
    long layoutLength() {
        if (interleaved != null) {
            return (long) roundLength() * repeatCount;
        }
        long sum = 0;
        for (ScatterGatherElement piece : list) {
            sum += piece.length();
        }
        return sum;
    }

    /** Returns whether libraries older than {@code mlx5dv_wr_mkey_configure} support the request. */
    boolean isOldForm() {
        return confFlags == 0 && signatures == null && access != NONE && entries() != 0;
    }
}
