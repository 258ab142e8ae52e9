/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_wq_attr}: what changes of a work queue.
 *
 * <pre>
 * 0 attr_mask(4)  4 wq_state(4)  8 curr_wq_state(4)  12 flags(4)  16 flags_mask(4)    20 in all
 * </pre>
 */
@CStruct("struct ibv_wq_attr")
public final class WqAttrLayout {
    @CSize(size = 20)
    public static final int SIZEOF = 20;

    @CField(value = "attr_mask", size = 4)
    public static final int ATTR_MASK = 0;

    @CField(value = "wq_state", size = 4)
    public static final int WQ_STATE = 4;

    @CField(value = "curr_wq_state", size = 4)
    public static final int CURR_WQ_STATE = 8;

    @CField(value = "flags", size = 4)
    public static final int FLAGS = 12;

    @CField(value = "flags_mask", size = 4)
    public static final int FLAGS_MASK = 16;

    private WqAttrLayout() {}
}
