/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.DestroyFlowAction;
import io.verbs4j.slot.ModifyFlowActionEsp;
import java.util.Objects;

/**
 * An action on packets that exists independently of the flows that use it: {@link FlowSpecActionHandle}. Several flows
 * can share one.
 *
 * <p>Providers subclass it. All methods may be called from any thread. Since level 4. Source:
 * {@code ibv_create_flow_action(3)}.
 */
public abstract class FlowAction extends VerbsObject {
    /**
     * Creates the handle; for providers.
     *
     * @param context context that the action belongs to
     */
    protected FlowAction(Context context) {
        super(Objects.requireNonNull(context, "context"));
    }

    /**
     * Changes an IPsec ESP action, for all flows that use it. Source: {@code ibv_modify_flow_action_esp(3)}.
     *
     * @param attr the changes; parts that are not set are unchanged
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the device cannot change it; {@link Errno#EINVAL} for an
     *     action other than ESP
     */
    public final void modifyEsp(FlowActionEspAttr attr) {
        Extension.require(context(), ContextSlot.MODIFY_FLOW_ACTION_ESP, ModifyFlowActionEsp.class)
                .modifyFlowActionEsp(this, attr);
    }

    /**
     * Destroys the action. Source: {@code ibv_destroy_flow_action(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while flows use it
     */
    @Override
    public final void close() {
        Extension.require(context(), ContextSlot.DESTROY_FLOW_ACTION, DestroyFlowAction.class)
                .destroyFlowAction(this);
    }

    @Override
    public final String toString() {
        return "flow action of " + context().device();
    }
}
