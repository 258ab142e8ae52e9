/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.FlowAction;

/** The function in the slot {@link io.verbs4j.ContextSlot#DESTROY_FLOW_ACTION}. */
@FunctionalInterface
public interface DestroyFlowAction {
    /**
     * Destroys an action that no flow uses.
     *
     * @param action an open action
     * @throws io.verbs4j.VerbsException with the errno
     */
    void destroyFlowAction(FlowAction action);
}
