/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.QpRateLimitAttr;
import io.verbs4j.QueuePair;

/** The function in the slot {@link io.verbs4j.ContextSlot#MODIFY_QP_RATE_LIMIT}. Frozen. */
@FunctionalInterface
public interface ModifyQpRateLimit {
    /**
     * Limits the rate at which a queue pair sends.
     *
     * @param qp the queue pair, in state RTS
     * @param attr the limit; the provider rejects bits that it does not know
     * @throws io.verbs4j.VerbsException with the errno
     */
    void modifyQpRateLimit(QueuePair qp, QpRateLimitAttr attr);
}
