/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_flow_attr}: a rule; its specifications follow.
 *
 * <pre>
 * 0 comp_mask(4)  4 type(4)  8 size(2)  10 priority(2)  12 num_of_specs(1)  13 port(1)  16 flags(4)    20 in all
 * </pre>
 */
@CStruct("struct ibv_flow_attr")
public final class FlowAttrLayout {
    @CSize(size = 20)
    public static final int SIZEOF = 20;

    @CField(value = "comp_mask", size = 4)
    public static final int COMP_MASK = 0;

    @CField(value = "type", size = 4)
    public static final int TYPE = 4;

    @CField(value = "size", size = 2)
    public static final int SIZE = 8;

    @CField(value = "priority", size = 2)
    public static final int PRIORITY = 10;

    @CField(value = "num_of_specs", size = 1)
    public static final int NUM_OF_SPECS = 12;

    @CField(value = "port", size = 1)
    public static final int PORT = 13;

    @CField(value = "flags", size = 4)
    public static final int FLAGS = 16;

    private FlowAttrLayout() {}
}
