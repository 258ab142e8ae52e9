/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import io.verbs4j.CompletionQueue;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;

/** Creates the queue pairs of connections. */
public final class QueuePairs {
    private QueuePairs() {}

    /**
     * Returns the attributes of a connection's queue pair.
     *
     * @param abilities abilities of its device; without SEND, a request has one scatter-gather element and receives are
     *     not used
     * @param cq its completion queue
     * @param sends maximum number of requests in flight
     * @param receives maximum number of posted receives
     */
    public static QpInitAttr attr(Abilities abilities, CompletionQueue cq, int sends, int receives) {
        boolean has = abilities.has(Abilities.SEND);
        return new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap()
                        .maxSendWr(sends)
                        .maxSendSge(has ? 2 : 1)
                        .maxRecvWr(has ? receives : 1)
                        .maxRecvSge(1));
    }

    /** Returns the posts to a queue pair that was created with {@link #attr}. */
    public static Posts posts(QueuePair qp) {
        return new RcPosts(qp);
    }
}
