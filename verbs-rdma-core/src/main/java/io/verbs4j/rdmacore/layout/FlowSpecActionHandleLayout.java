/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_flow_spec_action_handle}: an action that was made before.
 *
 * <pre>
 * 0 type(4)  4 size(2)  8 action(8)    16 in all
 * </pre>
 */
@CStruct(value = "struct ibv_flow_spec_action_handle", since = 18)
public final class FlowSpecActionHandleLayout {
    @CSize(since = 18, size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "type", size = 4, since = 18)
    public static final int TYPE = 0;

    @CField(value = "size", size = 2, since = 18)
    public static final int SIZE = 4;

    @CField(value = "action", size = 8, since = 18)
    public static final int ACTION = 8;

    private FlowSpecActionHandleLayout() {}
}
