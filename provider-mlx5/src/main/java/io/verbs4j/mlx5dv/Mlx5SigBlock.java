/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * The signatures of a key's data. The memory domain describes the data that the key refers to, the wire domain the data
 * as seen by users of the key. If only one of them has signatures, the device generates them, or checks and removes
 * them. Immutable. Source: mlx5dv_wr_set_mkey_sig_block(3), {@code struct mlx5dv_sig_block_attr}.
 */
public final class Mlx5SigBlock extends Answer {
    private static final int BYTE = 0xff;

    final Values values;

    private Mlx5SigBlock(Values values) {
        super(values);
        this.values = values;
    }

    /** A copy mask of -1 lets the device choose. */
    record Values(Mlx5SigDomain memory, Mlx5SigDomain wire, int checkMask, int copyMask) {}

    /**
     * Creates signatures whose bytes the device checks.
     *
     * @param memory signatures in memory; null for none
     * @param wire signatures on the wire; null for none
     * @param checkMask the bytes to check, of {@link Mlx5SigMask}
     * @return the signatures
     * @throws VerbsException {@link Errno#EINVAL} if both are null, or the mask has more than 8 bits
     */
    public static Mlx5SigBlock of(Mlx5SigDomain memory, Mlx5SigDomain wire, int checkMask) {
        return checked(new Values(memory, wire, checkMask, -1));
    }

    /**
     * Returns signatures with a copy mask. If memory and wire have signatures of the same kind, it selects the bytes to
     * copy instead of computing them.
     *
     * @param copyMask the bytes to copy, of {@link Mlx5SigMask}
     * @return new signatures
     * @throws VerbsException {@link Errno#EINVAL} if the mask has more than 8 bits
     */
    public Mlx5SigBlock withCopyMask(int copyMask) {
        if ((copyMask & ~BYTE) != 0) {
            throw wrong("copyMask is " + copyMask + "; it has one bit for each of 8 bytes");
        }
        return checked(new Values(values.memory(), values.wire(), values.checkMask(), copyMask));
    }

    private static Mlx5SigBlock checked(Values values) {
        if (values.memory() == null && values.wire() == null) {
            throw wrong("neither memory nor wire has signatures; set one");
        }
        if ((values.checkMask() & ~BYTE) != 0) {
            throw wrong("checkMask is " + values.checkMask() + "; it has one bit for each of 8 bytes");
        }
        return new Mlx5SigBlock(values);
    }

    private static VerbsException wrong(String what) {
        return new VerbsException(Errno.EINVAL, "mlx5dv_wr_set_mkey_sig_block", what);
    }
}
