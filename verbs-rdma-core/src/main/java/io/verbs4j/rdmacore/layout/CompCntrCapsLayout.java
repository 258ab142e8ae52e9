/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_comp_cntr_caps}: what completion counters a device has.
 *
 * <pre>
 * 0 max_value(8)  8 max_counters(4)  12 supported_qp_attach_ops(4)    16 in all
 * </pre>
 */
@CStruct(value = "struct ibv_comp_cntr_caps", header = "infiniband/verbs.h", since = 65)
public final class CompCntrCapsLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "max_value", size = 8)
    public static final int MAX_VALUE = 0;

    @CField(value = "max_counters", size = 4)
    public static final int MAX_COUNTERS = 8;

    @CField(value = "supported_qp_attach_ops", size = 4)
    public static final int SUPPORTED_QP_ATTACH_OPS = 12;

    private CompCntrCapsLayout() {}
}
