/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Hash functions by which a queue pair spreads received packets: {@link RxHashConf#rxHashFunction()}. Since level 4.
 * Source: {@code enum ibv_rx_hash_function_flags}, {@code ibv_create_qp_ex(3)}.
 */
public final class RxHashFunction {
    /** Bit: the Toeplitz hash. Source: {@code IBV_RX_HASH_FUNC_TOEPLITZ}, {@code ibv_create_qp_ex(3)}. */
    public static final int TOEPLITZ = 1 << 0;

    private static final String[] NAMES = {
        "TOEPLITZ",
    };

    private RxHashFunction() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "TOEPLITZ"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(int bits) {
        return InputAttr.join(Integer.toUnsignedLong(bits), NAMES);
    }
}
