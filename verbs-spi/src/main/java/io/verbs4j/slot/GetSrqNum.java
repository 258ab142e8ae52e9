/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.SharedReceiveQueue;

/** The function in the slot {@link io.verbs4j.ContextSlot#GET_SRQ_NUM}. Frozen. */
@FunctionalInterface
public interface GetSrqNum {
    /**
     * Returns the number of a shared receive queue of type XRC.
     *
     * @param srq the queue
     * @return the number, 24 bits
     * @throws io.verbs4j.VerbsException with the errno
     */
    int getSrqNum(SharedReceiveQueue srq);
}
