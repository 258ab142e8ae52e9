/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct mlx5dv_clock_info}: how time stamps become nanoseconds.
 *
 * <pre>
 * 0 nsec(8)  8 last_cycles(8)  16 frac(8)  24 mult(4)  28 shift(4)  32 mask(8)    40 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_clock_info", header = "infiniband/mlx5dv.h", since = 17)
public final class DvClockInfoLayout {
    @CSize(size = 40)
    public static final int SIZEOF = 40;

    @CField(value = "nsec", size = 8)
    public static final int NSEC = 0;

    @CField(value = "last_cycles", size = 8)
    public static final int LAST_CYCLES = 8;

    @CField(value = "frac", size = 8)
    public static final int FRAC = 16;

    @CField(value = "mult", size = 4)
    public static final int MULT = 24;

    @CField(value = "shift", size = 4)
    public static final int SHIFT = 28;

    @CField(value = "mask", size = 8)
    public static final int MASK = 32;

    private DvClockInfoLayout() {}
}
