/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;

/** How transfers are done by the operations of a device. */
public interface Strategy {
    /** {@return the operations that the device lacks for this, in words; null where it has them all} */
    String missing(Context context);

    /**
     * What a connection's queue pair is made with.
     *
     * @param cq its completion queue
     * @param sends requests that are under way at a time
     * @param receives receives that are posted at a time
     */
    QpInitAttr attr(CompletionQueue cq, int sends, int receives);

    /** Posts to a queue pair that was made with {@link #attr}. */
    Posts posts(QueuePair qp);
}
