/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.Flow;

/** The function in the slot {@link io.verbs4j.ContextSlot#DESTROY_FLOW}. */
@FunctionalInterface
public interface DestroyFlow {
    /**
     * Removes a rule.
     *
     * @param flow an open flow
     * @throws io.verbs4j.VerbsException with the errno
     */
    void destroyFlow(Flow flow);
}
