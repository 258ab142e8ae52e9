/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.FlowAction;
import io.verbs4j.FlowActionEspAttr;

/** The function in the slot {@link io.verbs4j.ContextSlot#CREATE_FLOW_ACTION_ESP}. */
@FunctionalInterface
public interface CreateFlowActionEsp {
    /**
     * Creates an ESP action.
     *
     * @param attr what the action does
     * @return the new action
     * @throws io.verbs4j.VerbsException with the errno
     */
    FlowAction createFlowActionEsp(FlowActionEspAttr attr);
}
