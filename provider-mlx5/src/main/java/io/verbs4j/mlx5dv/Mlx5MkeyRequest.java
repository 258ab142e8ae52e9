/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.VerbsException;

/**
 * Changes a {@link Mlx5Mkey}: what it refers to, what may be done with it, which signatures its data have. What is not
 * set stays as it was. The queue pair is of type RC, made with {@link Mlx5SendOps#MKEY_CONFIGURE}; access and a layout
 * can be set with {@link Mlx5SendOps#MR_LIST} or {@link Mlx5SendOps#MR_INTERLEAVED}, too, which older libraries have.
 * Elements and signatures have to fit in the {@link io.verbs4j.QpCap#maxInlineData()} of the queue pair where libmlx5
 * writes the request: 16 bytes for each element, 16 for what rounds have in common, 64 for signatures. Requests behind
 * it wait for it. Source: mlx5dv_wr_mkey_configure(3), mlx5dv_wr_mr_interleaved(3).
 */
public final class Mlx5MkeyRequest extends Mlx5SendRequest {
    private static final String LAYOUT = "mlx5dv_wr_set_mkey_layout";
    private static final int SHORT = 0xffff;

    /** What there is no value of. */
    static final int NONE = -1;

    private Mlx5Mkey mkey;
    private int confFlags;
    private int access = NONE;
    private ScatterGatherElement[] list;
    private Mlx5Interleaved[] interleaved;
    private int repeatCount;
    private Mlx5SigBlock signatures;

    /** A request that changes nothing yet. */
    public Mlx5MkeyRequest() {}

    /**
     * Names the request.
     *
     * @param wrId what the completion names it by
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
     * Says which key it is about.
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
     * Sets flags.
     *
     * @param value {@link Mlx5MkeyConfFlags} bits
     * @return this
     */
    public Mlx5MkeyRequest confFlags(int value) {
        confFlags = value;
        return this;
    }

    /**
     * Says what may be done by the key.
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
                    "access is " + AccessFlags.toString(value) + "; a key has LOCAL_WRITE and what peers may do");
        }
        access = value;
        return this;
    }

    /**
     * Has the key refer to pieces of memory, one behind the other.
     *
     * @param elements the pieces; kept until the request was posted
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} where there are none
     */
    public Mlx5MkeyRequest list(ScatterGatherElement... elements) {
        requireSome(elements.length);
        list = elements;
        interleaved = null;
        return this;
    }

    /**
     * Has the key refer to rounds: some bytes of each piece, then those of the next round, which begin further on in
     * each piece.
     *
     * @param rounds how many rounds
     * @param pieces the pieces; kept until the request was posted
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for no rounds or pieces, and where a piece has no bytes, or more
     *     with those that it skips than 0xffff
     */
    public Mlx5MkeyRequest interleaved(int rounds, Mlx5Interleaved... pieces) {
        requireSome(pieces.length);
        if (rounds < 1) {
            throw new VerbsException(Errno.EINVAL, LAYOUT, "rounds is " + rounds + "; there is at least one");
        }
        for (Mlx5Interleaved piece : pieces) {
            int bytes = piece.values.bytesCount();
            int skip = piece.values.bytesSkip();
            if (bytes < 1 || skip < 0 || skip > SHORT || bytes > SHORT - skip) {
                throw new VerbsException(
                        Errno.EINVAL,
                        LAYOUT,
                        "a piece has " + bytes + " bytes and skips " + skip
                                + "; it has some, and both are 65535 at most");
            }
        }
        interleaved = pieces;
        repeatCount = rounds;
        list = null;
        return this;
    }

    private static void requireSome(int count) {
        if (count == 0 || count > SHORT) {
            throw new VerbsException(Errno.EINVAL, LAYOUT, "there are " + count + " pieces; pass 1 to 65535");
        }
    }

    /**
     * Says which signatures the data have. Rdma-core 36.
     *
     * @param value the signatures; null leaves them as they were
     * @return this
     */
    public Mlx5MkeyRequest signatures(Mlx5SigBlock value) {
        signatures = value;
        return this;
    }

    /**
     * Forgets all but the name and the key.
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

    // ---- for whoever writes it

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

    /** How many of the setters it needs. */
    int setters() {
        return (access == NONE ? 0 : 1) + (list == null && interleaved == null ? 0 : 1) + (signatures == null ? 0 : 1);
    }

    /** How many entries the layout has in the element; 0 for none. */
    int entries() {
        return list != null ? list.length : interleaved != null ? interleaved.length + 1 : 0;
    }

    /** Whether the key has room for the layout, and each piece is there and has bytes. */
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

    /** How many bytes there are in each round. */
    int roundLength() {
        int sum = 0;
        for (Mlx5Interleaved piece : interleaved) {
            sum += piece.values.bytesCount();
        }
        return sum;
    }

    /** How many bytes the layout has. */
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

    /** Whether it is what libraries have that are older than {@code mlx5dv_wr_mkey_configure}. */
    boolean isOldForm() {
        return confFlags == 0 && signatures == null && access != NONE && entries() != 0;
    }
}
