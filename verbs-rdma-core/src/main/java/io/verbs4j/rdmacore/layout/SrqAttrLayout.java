/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_srq_attr}: the attributes of a shared receive queue.
 *
 * <pre>
 * 0 max_wr(4)  4 max_sge(4)  8 srq_limit(4)    12 in all
 * </pre>
 */
@CStruct("struct ibv_srq_attr")
public final class SrqAttrLayout {
    @CSize(size = 12)
    public static final int SIZEOF = 12;

    @CField(value = "max_wr", size = 4)
    public static final int MAX_WR = 0;

    @CField(value = "max_sge", size = 4)
    public static final int MAX_SGE = 4;

    @CField(value = "srq_limit", size = 4)
    public static final int SRQ_LIMIT = 8;

    private SrqAttrLayout() {}
}
