/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that select how far written data must have got: {@link SendWorkRequest#flushType()}.
 *
 * <p>No bit is or will be optional: a library or provider that does not know or support one fails with EOPNOTSUPP.
 *
 * <p>Since level 3. Source: {@code enum ibv_placement_type}.
 */
public final class FlushType {
    /** Bit: visible to every reader of the memory. Source: {@code IBV_FLUSH_GLOBAL}, {@code ibv_wr_flush(3)}. */
    public static final int GLOBAL = 1 << 0;

    /** Bit: survives a loss of power. Source: {@code IBV_FLUSH_PERSISTENT}, {@code ibv_wr_flush(3)}. */
    public static final int PERSISTENT = 1 << 1;

    private static final String[] NAMES = {
        "GLOBAL", "PERSISTENT",
    };

    private FlushType() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "GLOBAL"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(int bits) {
        return DeviceCap.join(bits, NAMES);
    }
}
