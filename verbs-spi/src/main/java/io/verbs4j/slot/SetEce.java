/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.Ece;
import io.verbs4j.QueuePair;

/** The function in the slot {@link io.verbs4j.ContextSlot#SET_ECE}. */
@FunctionalInterface
public interface SetEce {
    /**
     * Sets options of the connection that a queue pair will make.
     *
     * @param qp the queue pair, in state RESET or INIT
     * @param ece the options; the provider rejects bits of the mask that it does not know
     * @throws io.verbs4j.VerbsException with the errno
     */
    void setEce(QueuePair qp, Ece ece);
}
