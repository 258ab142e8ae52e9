/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Answers of {@link QueuePair#queryDataInOrder(int, int)}. Since level 3. Source: {@code ibv_query_qp_data_in_order(3)}.
 */
public final class DataInOrderCaps {
    /**
     * Bit: the bytes of a message are written in order: when the last is there, all are. Source: {@code
     * IBV_QUERY_QP_DATA_IN_ORDER_WHOLE_MSG}, ibv_query_qp_data_in_order(3).
     */
    public static final int WHOLE_MSG = 1 << 0;

    /**
     * Bit: those of each aligned block of 128 bytes are. Source: {@code IBV_QUERY_QP_DATA_IN_ORDER_ALIGNED_128_BYTES},
     * ibv_query_qp_data_in_order(3).
     */
    public static final int ALIGNED_128_BYTES = 1 << 1;

    private static final String[] NAMES = {
        "WHOLE_MSG", "ALIGNED_128_BYTES",
    };

    private DataInOrderCaps() {}

    /**
     * Names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "WHOLE_MSG|ALIGNED_128_BYTES"}; {@code "0"} if no bit is set; bits without a name come
     *     last, as one hexadecimal number
     */
    public static String toString(int bits) {
        return InputAttr.join(Integer.toUnsignedLong(bits), NAMES);
    }
}
