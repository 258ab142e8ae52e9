/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.FlowAction;
import io.verbs4j.FlowActionEspAttr;

/** The function in the slot {@link io.verbs4j.ContextSlot#MODIFY_FLOW_ACTION_ESP}. */
@FunctionalInterface
public interface ModifyFlowActionEsp {
    /**
     * Changes an ESP action.
     *
     * @param action an open action
     * @param attr the changes
     * @throws io.verbs4j.VerbsException with the errno
     */
    void modifyFlowActionEsp(FlowAction action, FlowActionEspAttr attr);
}
