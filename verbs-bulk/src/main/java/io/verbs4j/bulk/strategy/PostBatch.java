/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.SendBuilder;
import io.verbs4j.VerbsException;

/** Gathers requests to a queue pair and posts them in one call. For one thread. */
public final class PostBatch {
    private final QueuePair qp;
    private final SendBuilder builder;
    private boolean gathering;

    /** For a queue pair. */
    public PostBatch(QueuePair qp) {
        this.qp = qp;
        builder = qp.builder();
    }

    /** {@return the builder for the next request} */
    public SendBuilder next() {
        if (!gathering) {
            gathering = true;
            builder.start();
        }
        return builder;
    }

    /**
     * Posts the gathered requests.
     *
     * @return 0 or an errno
     */
    public int flush() {
        if (!gathering) {
            return 0;
        }
        gathering = false;
        return builder.complete();
    }

    /** Fails the queue pair: posted requests complete, and the peer can no longer reach memory through it. */
    public void fail() {
        try {
            qp.modify(new QpAttr().qpState(QpState.ERR));
        } catch (VerbsException e) {
            // closed or failed already, so nothing reaches memory through it
        }
    }
}
