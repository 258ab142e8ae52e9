/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Context;
import io.verbs4j.EventType;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqInitAttrEx;

/** The program's handle of a shared receive queue. */
public final class RxeSharedReceiveQueue extends SharedReceiveQueue {
    /** The queue. */
    public final RxeSrq srq;

    /** Creates a queue of any type and its handle. */
    public RxeSharedReceiveQueue(Context context, SrqInitAttrEx attr, EventQueue<AsyncEvent> events) {
        super(context, attr);
        srq = new RxeSrq(attr, new ReadyEvents(events, AsyncEvent.of(EventType.SRQ_LIMIT_REACHED, this)));
    }

    @Override
    public int postSrqOps(OpsWorkRequest wr, OpsWorkRequest[] badWr) {
        return srq.postOps(wr, badWr);
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return srq.postRecv(wr, badWr);
    }
}
