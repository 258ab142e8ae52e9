/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.FlowAction;
import io.verbs4j.FlowActionEspAttr;

/** What is in the slot {@link io.verbs4j.ContextSlot#CREATE_FLOW_ACTION_ESP}. */
@FunctionalInterface
public interface CreateFlowActionEsp {
    /**
     * Makes an action of ESP.
     *
     * @param attr what it does
     * @return the new action
     * @throws io.verbs4j.VerbsException with the errno
     */
    FlowAction createFlowActionEsp(FlowActionEspAttr attr);
}
