/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_flow_spec_action_drop}: drops packets.
 *
 * <pre>
 * 0 type(4)  4 size(2)    8 in all
 * </pre>
 */
@CStruct(value = "struct ibv_flow_spec_action_drop", since = 15)
public final class FlowSpecActionDropLayout {
    @CSize(since = 15, size = 8)
    public static final int SIZEOF = 8;

    @CField(value = "type", size = 4, since = 15)
    public static final int TYPE = 0;

    @CField(value = "size", size = 2, since = 15)
    public static final int SIZE = 4;

    private FlowSpecActionDropLayout() {}
}
