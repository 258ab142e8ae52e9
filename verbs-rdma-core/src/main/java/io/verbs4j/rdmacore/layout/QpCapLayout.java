/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_qp_cap}: the sizes of a queue pair.
 *
 * <pre>
 * 0 max_send_wr(4)  4 max_recv_wr(4)  8 max_send_sge(4)  12 max_recv_sge(4)  16 max_inline_data(4)    20 in all
 * </pre>
 */
@CStruct("struct ibv_qp_cap")
public final class QpCapLayout {
    @CSize(size = 20)
    public static final int SIZEOF = 20;

    @CField(value = "max_send_wr", size = 4)
    public static final int MAX_SEND_WR = 0;

    @CField(value = "max_recv_wr", size = 4)
    public static final int MAX_RECV_WR = 4;

    @CField(value = "max_send_sge", size = 4)
    public static final int MAX_SEND_SGE = 8;

    @CField(value = "max_recv_sge", size = 4)
    public static final int MAX_RECV_SGE = 12;

    @CField(value = "max_inline_data", size = 4)
    public static final int MAX_INLINE_DATA = 16;

    private QpCapLayout() {}
}
