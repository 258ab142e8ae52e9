/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_flow_spec_mpls}: a filter of MPLS.
 *
 * <pre>
 * 0 type(4)  4 size(2)  8 val(4)  8 val.label(4)  12 mask(4)  12 mask.label(4)    16 in all
 * </pre>
 */
@CStruct(value = "struct ibv_flow_spec_mpls", since = 19)
public final class FlowSpecMplsLayout {
    @CSize(since = 19, size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "type", size = 4, since = 19)
    public static final int TYPE = 0;

    @CField(value = "size", size = 2, since = 19)
    public static final int SIZE = 4;

    @CField(value = "val", size = 4, since = 19)
    public static final int VAL = 8;

    @CField(value = "val.label", size = 4, since = 19)
    public static final int VAL_LABEL = 8;

    @CField(value = "mask", size = 4, since = 19)
    public static final int MASK = 12;

    @CField(value = "mask.label", size = 4, since = 19)
    public static final int MASK_LABEL = 12;

    private FlowSpecMplsLayout() {}
}
