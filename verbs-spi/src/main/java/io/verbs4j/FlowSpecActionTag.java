/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * An action of a {@link Flow} that tags packets; their completions report the tag, see {@link WcExFlags#FLOW_TAG}.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_action_tag}, {@code ibv_create_flow(3)}.
 */
public final class FlowSpecActionTag extends FlowSpec {
    private final int tagId;

    /**
     * Creates the action.
     *
     * @param tagId the tag; ConnectX supports 24 bits
     */
    public FlowSpecActionTag(int tagId) {
        super(FlowSpecType.ACTION_TAG);
        this.tagId = tagId;
    }

    /** {@return the tag} */
    public int tagId() {
        return tagId;
    }

    @Override
    public String toString() {
        return "ACTION_TAG 0x" + Integer.toHexString(tagId);
    }
}
