/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Results of {@link QueuePair#queryDataInOrder(int, int)}. Since level 3. Source:
 * {@code ibv_query_qp_data_in_order(3)}.
 */
public final class DataInOrderCaps {
    /**
     * Bit: the bytes of a message are written in order: once the last has arrived, all have. Source:
     * {@code IBV_QUERY_QP_DATA_IN_ORDER_WHOLE_MSG}, {@code ibv_query_qp_data_in_order(3)}.
     */
    public static final int WHOLE_MSG = 1 << 0;

    /**
     * Bit: the bytes of each aligned block of 128 bytes are written in order. Source:
     * {@code IBV_QUERY_QP_DATA_IN_ORDER_ALIGNED_128_BYTES}, {@code ibv_query_qp_data_in_order(3)}.
     */
    public static final int ALIGNED_128_BYTES = 1 << 1;

    private static final String[] NAMES = {
        "WHOLE_MSG", "ALIGNED_128_BYTES",
    };

    private DataInOrderCaps() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "WHOLE_MSG|ALIGNED_128_BYTES"}; {@code "0"} if no bit is set; bits without a name
     *     come last, as one hexadecimal number
     */
    public static String toString(int bits) {
        return InputAttr.join(Integer.toUnsignedLong(bits), NAMES);
    }
}
