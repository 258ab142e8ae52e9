/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_values_ex}: values of a device that change.
 *
 * <pre>
 * 0 comp_mask(4)  8 raw_clock(16)  8 raw_clock.tv_sec(8)  16 raw_clock.tv_nsec(8)    24 in all
 * </pre>
 */
@CStruct("struct ibv_values_ex")
public final class ValuesExLayout {
    @CSize(size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "comp_mask", size = 4)
    public static final int COMP_MASK = 0;

    @CField(value = "raw_clock", size = 16)
    public static final int RAW_CLOCK = 8;

    @CField(value = "raw_clock.tv_sec", size = 8)
    public static final int RAW_CLOCK_TV_SEC = 8;

    @CField(value = "raw_clock.tv_nsec", size = 8)
    public static final int RAW_CLOCK_TV_NSEC = 16;

    private ValuesExLayout() {}
}
