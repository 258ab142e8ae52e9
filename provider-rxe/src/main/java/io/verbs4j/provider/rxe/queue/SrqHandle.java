/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.AsyncEvent;
import io.verbs4j.EventType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqInitAttr;

/** What programs have of a shared receive queue. */
public final class SrqHandle extends SharedReceiveQueue {
    /** The queue. */
    public final RxeSharedReceiveQueue srq;

    /** Makes a queue, and its handle. */
    public SrqHandle(ProtectionDomain pd, SrqInitAttr attr, EventQueue<AsyncEvent> events) {
        super(pd, attr);
        srq = new RxeSharedReceiveQueue(
                pd, attr, new ReadyEvents(events, type -> AsyncEvent.of(type, this), EventType.SRQ_LIMIT_REACHED));
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return srq.postRecv(wr, badWr);
    }
}
