/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Flags of {@link QueuePair#queryDataInOrder(int, int)}.
 *
 * <p>No bit is optional, now or later: whoever does not know one, or can't, refuses it, EOPNOTSUPP.
 *
 * <p>Since level 3. Source: {@code ibv_query_qp_data_in_order(3)}.
 */
public final class DataInOrderFlags {
    /**
     * Bit: the answer is {@link DataInOrderCaps} bits, not a yes or no. Source: {@code
     * IBV_QUERY_QP_DATA_IN_ORDER_RETURN_CAPS}, ibv_query_qp_data_in_order(3).
     */
    public static final int RETURN_CAPS = 1 << 0;

    /**
     * Bit: what the device does, whatever the processor makes of it. Source: {@code IBV_QUERY_QP_DATA_IN_ORDER_DEVICE_ONLY},
     * ibv_query_qp_data_in_order(3).
     */
    public static final int DEVICE_ONLY = 1 << 1;

    private static final String[] NAMES = {
        "RETURN_CAPS", "DEVICE_ONLY",
    };

    private DataInOrderFlags() {}

    /**
     * Names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "RETURN_CAPS|DEVICE_ONLY"}; {@code "0"} if no bit is set; bits without a name come
     *     last, as one hexadecimal number
     */
    public static String toString(int bits) {
        return InputAttr.join(Integer.toUnsignedLong(bits), NAMES);
    }
}
