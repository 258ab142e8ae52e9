/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.WorkCompletion;

/** What programs have of a completion queue. */
public final class CqHandle extends CompletionQueue {
    /** The queue. */
    public final RxeCompletionQueue cq;

    /** Makes a queue, and its handle. */
    public CqHandle(
            Context context,
            int cqe,
            Object userContext,
            ChannelHandle channel,
            RxeCompletionQueue.Progress progress,
            RxeCompletionQueue.OverrunHandler overrunHandler) {
        super(context, cqe, userContext, channel);
        EventQueue<CompletionQueue> events = channel == null ? null : channel.events;
        cq = new RxeCompletionQueue(this, cqe, events, progress, overrunHandler, this::updateCqe);
    }

    @Override
    public int poll(int numEntries, WorkCompletion[] wc) {
        return cq.poll(numEntries, wc);
    }

    @Override
    public int reqNotify(boolean solicitedOnly) {
        return cq.reqNotify(solicitedOnly);
    }
}
