/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_flow_spec_action_tag}: tags packets.
 *
 * <pre>
 * 0 type(4)  4 size(2)  8 tag_id(4)    12 in all
 * </pre>
 */
@CStruct(value = "struct ibv_flow_spec_action_tag", since = 14)
public final class FlowSpecActionTagLayout {
    @CSize(since = 14, size = 12)
    public static final int SIZEOF = 12;

    @CField(value = "type", size = 4, since = 14)
    public static final int TYPE = 0;

    @CField(value = "size", size = 2, since = 14)
    public static final int SIZE = 4;

    @CField(value = "tag_id", size = 4, since = 14)
    public static final int TAG_ID = 8;

    private FlowSpecActionTagLayout() {}
}
