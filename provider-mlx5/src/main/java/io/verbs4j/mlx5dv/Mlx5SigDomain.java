/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * The signatures of data in memory or on the wire: one after each block. Immutable. Source:
 * mlx5dv_wr_set_mkey_sig_block(3), {@code struct mlx5dv_sig_block_domain}.
 */
public final class Mlx5SigDomain extends Answer {
    private static final String VERB = "mlx5dv_wr_set_mkey_sig_block";
    private static final int SHORT = 0xffff;

    final Values values;

    private Mlx5SigDomain(Values values) {
        super(values);
        this.values = values;
    }

    /** The values of both kinds; those of the other kind are 0. */
    record Values(boolean isCrc, int type, long seed, int appTag, int refTag, int flags, int blockSize) {}

    /**
     * Creates T10-DIF signatures: a guard of 2 bytes, an application tag of 2 and a reference tag of 4, in network
     * order.
     *
     * @param guard a {@link Mlx5T10DifGuard} value
     * @param background initial value of the guard: 0 or 0xffff
     * @param appTag the application tag
     * @param refTag the reference tag of the first block
     * @param flags bits of {@link Mlx5T10DifFlags}
     * @param blockSize a {@link Mlx5BlockSize} value
     * @return the signatures
     * @throws VerbsException {@link Errno#EINVAL} for a background, an application tag or flags of more than 16 bits
     */
    public static Mlx5SigDomain t10Dif(int guard, int background, int appTag, int refTag, int flags, int blockSize) {
        if ((background & ~SHORT) != 0 || (appTag & ~SHORT) != 0 || (flags & ~SHORT) != 0) {
            throw new VerbsException(Errno.EINVAL, VERB, "background, appTag and flags have 16 bits; pass 0 to 0xffff");
        }
        return new Mlx5SigDomain(new Values(false, guard, background, appTag, refTag, flags, blockSize));
    }

    /**
     * Creates checksums of 4 or 8 bytes.
     *
     * @param type a {@link Mlx5CrcType} value
     * @param seed initial value of the checksum: 0 or all ones
     * @param blockSize a {@link Mlx5BlockSize} value
     * @return the signatures
     */
    public static Mlx5SigDomain crc(int type, long seed, int blockSize) {
        return new Mlx5SigDomain(new Values(true, type, seed, 0, 0, 0, blockSize));
    }
}
