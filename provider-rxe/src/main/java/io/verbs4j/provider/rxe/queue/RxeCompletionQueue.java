/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.WorkCompletion;
import java.util.function.IntConsumer;

/** The program's handle of a completion queue. */
public class RxeCompletionQueue extends CompletionQueue {
    /** The queue. */
    public final RxeCq cq;

    /** Whether device code has the queue. */
    public final LaneUse lanes = new LaneUse();

    /** Creates a queue and its handle. */
    public RxeCompletionQueue(
            Context context,
            int cqe,
            Object userContext,
            RxeCompletionChannel channel,
            CqHost host,
            RxeCq.OverrunHandler overrunHandler) {
        this(context, cqe, userContext, channel, host, overrunHandler, 0, CqOptions.PLAIN);
    }

    RxeCompletionQueue(
            Context context,
            int cqe,
            Object userContext,
            RxeCompletionChannel channel,
            CqHost host,
            RxeCq.OverrunHandler overrunHandler,
            long wcFlags,
            CqOptions options) {
        super(context, cqe, userContext, channel, wcFlags);
        EventQueue<CompletionQueue> events = channel == null ? null : channel.events;
        cq = new RxeCq(this, cqe, events, host, overrunHandler, new Resized(), options);
    }

    private final class Resized implements IntConsumer {
        @Override
        public void accept(int cqe) {
            become(cqe);
        }
    }

    private void become(int cqe) {
        updateCqe(cqe);
    }

    @Override
    public final int poll(int numEntries, WorkCompletion[] wc) {
        return lanes.isHandedOver() ? -Errno.EBUSY : cq.poll(numEntries, wc);
    }

    @Override
    protected final int pollEx(int numEntries, WorkCompletion[] wc, int wcSize) {
        return lanes.isHandedOver() ? -Errno.EBUSY : cq.poll(numEntries, wc, wcSize);
    }

    @Override
    public final int reqNotify(boolean solicitedOnly) {
        return lanes.isHandedOver() ? Errno.EBUSY : cq.reqNotify(solicitedOnly);
    }
}
