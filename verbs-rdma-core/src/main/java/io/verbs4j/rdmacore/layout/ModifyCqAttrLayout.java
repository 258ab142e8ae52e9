/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_modify_cq_attr}: what to change of a completion queue.
 *
 * <pre>
 * 0 attr_mask(4)  4 moderate(4)  4 moderate.cq_count(2)  6 moderate.cq_period(2)    8 in all
 * </pre>
 */
@CStruct(value = "struct ibv_modify_cq_attr", since = 16)
public final class ModifyCqAttrLayout {
    @CSize(since = 16, size = 8)
    public static final int SIZEOF = 8;

    @CField(value = "attr_mask", size = 4, since = 16)
    public static final int ATTR_MASK = 0;

    @CField(value = "moderate", size = 4, since = 16)
    public static final int MODERATE = 4;

    @CField(value = "moderate.cq_count", size = 2, since = 16)
    public static final int MODERATE_CQ_COUNT = 4;

    @CField(value = "moderate.cq_period", size = 2, since = 16)
    public static final int MODERATE_CQ_PERIOD = 6;

    private ModifyCqAttrLayout() {}
}
