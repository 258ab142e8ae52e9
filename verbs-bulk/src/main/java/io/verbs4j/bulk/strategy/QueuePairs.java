/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import io.verbs4j.CompletionQueue;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;

/** The queue pairs of connections. */
public final class QueuePairs {
    private QueuePairs() {}

    /**
     * The attributes of a connection's queue pair.
     *
     * @param abilities what its device can do: without SEND a request has one piece of memory, and there are no
     *     receives
     * @param cq its completion queue
     * @param sends requests that are under way at a time
     * @param receives receives that are posted at a time
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

    /** Posts to a queue pair that was made with {@link #attr}. */
    public static Posts posts(QueuePair qp) {
        return new RcPosts(qp);
    }
}
