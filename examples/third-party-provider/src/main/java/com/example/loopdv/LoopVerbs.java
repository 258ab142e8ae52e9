/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.loopdv;

import io.verbs4j.QueuePair;

/**
 * What the loopback device can besides verbs. A program gets it from an open context:
 * {@code context.vendor(LoopVerbs.class)}. A later release adds methods with a body, never abstract ones: programs may
 * have been compiled against it before.
 */
public interface LoopVerbs {
    /**
     * How much a queue pair has sent.
     *
     * @param qp a queue pair of this device
     * @return bytes, of requests that have succeeded
     */
    long bytesSent(QueuePair qp);
}
