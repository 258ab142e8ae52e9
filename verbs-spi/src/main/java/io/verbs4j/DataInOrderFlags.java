/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Flags of {@link QueuePair#queryDataInOrder(int, int)}.
 *
 * <p>No bit is or will be optional: a library or provider that does not know or support one fails with EOPNOTSUPP.
 *
 * <p>Since level 3. Source: {@code ibv_query_qp_data_in_order(3)}.
 */
public final class DataInOrderFlags {
    /**
     * Bit: return {@link DataInOrderCaps} bits, not only 1 or 0. Source:
     * {@code IBV_QUERY_QP_DATA_IN_ORDER_RETURN_CAPS}, {@code ibv_query_qp_data_in_order(3)}.
     */
    public static final int RETURN_CAPS = 1 << 0;

    /**
     * Bit: report what the device does, regardless of the processor. Source:
     * {@code IBV_QUERY_QP_DATA_IN_ORDER_DEVICE_ONLY}, {@code ibv_query_qp_data_in_order(3)}.
     */
    public static final int DEVICE_ONLY = 1 << 1;

    private static final String[] NAMES = {
        "RETURN_CAPS", "DEVICE_ONLY",
    };

    private DataInOrderFlags() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "RETURN_CAPS|DEVICE_ONLY"}; {@code "0"} if no bit is set; bits without a name come
     *     last, as one hexadecimal number
     */
    public static String toString(int bits) {
        return InputAttr.join(Integer.toUnsignedLong(bits), NAMES);
    }
}
