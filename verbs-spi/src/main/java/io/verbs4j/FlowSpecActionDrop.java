/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * An action of a {@link Flow} that drops packets.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_action_drop}, {@code ibv_create_flow(3)}.
 */
public final class FlowSpecActionDrop extends FlowSpec {
    /** Creates the action. */
    public FlowSpecActionDrop() {
        super(FlowSpecType.ACTION_DROP);
    }

    @Override
    public String toString() {
        return "ACTION_DROP";
    }
}
