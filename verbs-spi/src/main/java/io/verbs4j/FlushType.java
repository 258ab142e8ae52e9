/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that tell how far written data has to have come: {@link SendWorkRequest#flushType()}.
 *
 * <p>No bit is optional, now or later: whoever does not know one, or can't, refuses it, EOPNOTSUPP.
 *
 * <p>Since level 3. Source: {@code enum ibv_placement_type}.
 */
public final class FlushType {
    /** Bit: visible to all who can read the memory. Source: {@code IBV_FLUSH_GLOBAL}, ibv_wr_flush(3). */
    public static final int GLOBAL = 1 << 0;

    /** Bit: outlives a loss of power. Source: {@code IBV_FLUSH_PERSISTENT}, ibv_wr_flush(3). */
    public static final int PERSISTENT = 1 << 1;

    private static final String[] NAMES = {
        "GLOBAL", "PERSISTENT",
    };

    private FlushType() {}

    /**
     * Names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "GLOBAL"}; {@code "0"} if no bit is set; bits without a name come last, as one hexadecimal number
     */
    public static String toString(int bits) {
        return DeviceCap.join(bits, NAMES);
    }
}
