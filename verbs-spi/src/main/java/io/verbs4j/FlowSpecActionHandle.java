/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Objects;

/**
 * An action of a {@link Flow} that applies an existing {@link FlowAction}, which decrypts or encrypts packets. The
 * action cannot be closed while the flow exists.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_action_handle}, {@code ibv_create_flow(3)}.
 */
public final class FlowSpecActionHandle extends FlowSpec {
    private final FlowAction action;

    /**
     * Creates the action.
     *
     * @param action the action to apply; several flows may share it
     */
    public FlowSpecActionHandle(FlowAction action) {
        super(FlowSpecType.ACTION_HANDLE);
        this.action = Objects.requireNonNull(action, "action");
    }

    /** {@return the action to apply} */
    public FlowAction action() {
        return action;
    }

    @Override
    public String toString() {
        return "ACTION_HANDLE";
    }
}
