/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * A piece of each round of {@link Mlx5MkeyRequest#interleaved}: a number of bytes, followed by a number of bytes to
 * skip. Immutable. Source: mlx5dv_wr_mr_interleaved(3), {@code struct mlx5dv_mr_interleaved}.
 */
public final class Mlx5Interleaved extends Answer {
    final Values values;

    /**
     * Creates a piece.
     *
     * @param lkey key of the memory
     * @param addr start of the piece in the first round
     * @param bytesCount number of bytes in each round, 1 to 0xffff
     * @param bytesSkip number of bytes between those and the next round's; with {@code bytesCount} at most 0xffff
     */
    public Mlx5Interleaved(int lkey, long addr, int bytesCount, int bytesSkip) {
        this(new Values(lkey, addr, bytesCount, bytesSkip));
    }

    private Mlx5Interleaved(Values values) {
        super(values);
        this.values = values;
    }

    record Values(int lkey, long addr, int bytesCount, int bytesSkip) {}
}
