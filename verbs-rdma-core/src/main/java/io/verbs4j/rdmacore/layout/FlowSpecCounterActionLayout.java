/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_flow_spec_counter_action}: counts packets.
 *
 * <pre>
 * 0 type(4)  4 size(2)  8 counters(8)    16 in all
 * </pre>
 */
@CStruct(value = "struct ibv_flow_spec_counter_action", since = 19)
public final class FlowSpecCounterActionLayout {
    @CSize(since = 19, size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "type", size = 4, since = 19)
    public static final int TYPE = 0;

    @CField(value = "size", size = 2, since = 19)
    public static final int SIZE = 4;

    @CField(value = "counters", size = 8, since = 19)
    public static final int COUNTERS = 8;

    private FlowSpecCounterActionLayout() {}
}
