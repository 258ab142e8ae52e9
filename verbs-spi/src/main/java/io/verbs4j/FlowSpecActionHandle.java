/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Objects;

/**
 * An action of a {@link Flow} that was made before: packets are decrypted, or encrypted. The action can't be closed
 * while the flow is there.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_action_handle}, ibv_create_flow(3).
 */
public final class FlowSpecActionHandle extends FlowSpec {
    private final FlowAction action;

    /**
     * Creates the action.
     *
     * @param action what is done; several flows may share it
     */
    public FlowSpecActionHandle(FlowAction action) {
        super(FlowSpecType.ACTION_HANDLE);
        this.action = Objects.requireNonNull(action, "action");
    }

    /** {@return what is done} */
    public FlowAction action() {
        return action;
    }

    @Override
    public String toString() {
        return "ACTION_HANDLE";
    }
}
