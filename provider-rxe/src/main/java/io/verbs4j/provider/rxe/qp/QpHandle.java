/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.AsyncEvent;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.provider.rxe.queue.EventQueue;
import io.verbs4j.provider.rxe.queue.ReadyEvents;

/**
 * What programs have of a queue pair. Like all handles of this device it has no method of its own: the names on a handle are
 * the header's, those of later levels too.
 */
public final class QpHandle extends QueuePair {
    /** The queue pair. */
    public final RxeQueuePair qp;

    /** Makes a queue pair in state RESET, and its handle. */
    public QpHandle(ProtectionDomain pd, QpInitAttr attr, int qpNum, QpHost host, EventQueue<AsyncEvent> events) {
        super(pd, attr, qpNum);
        qp = new RxeQueuePair(pd, attr, qpNum, host, ReadyEvents.of(events, this));
    }

    @Override
    public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
        return qp.postSend(wr, badWr);
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return qp.postRecv(wr, badWr);
    }

    @Override
    public int bindMw(MemoryWindow mw, MwBind bind) {
        return qp.bindMw(mw, bind);
    }
}
