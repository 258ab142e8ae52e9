/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.provider.rxe.queue.EventQueue;
import io.verbs4j.provider.rxe.queue.LaneUse;
import io.verbs4j.provider.rxe.queue.ReadyEvents;
import io.verbs4j.provider.rxe.queue.RingMemory;

/**
 * The program's handle of a queue pair. Like all handles of this device it adds no methods: the header defines the
 * member names of a handle, including those of later levels.
 */
public final class RxeQueuePair extends QueuePair {
    /** The queue pair. */
    public final RxeQp qp;

    /** Whether device code has the send queue. */
    public final LaneUse lanes = new LaneUse();

    /** Creates a queue pair in state RESET, with memory of the device's own, and its handle. */
    public RxeQueuePair(Context context, QpInitAttrEx attr, int qpNum, QpHost host, EventQueue<AsyncEvent> events) {
        super(context, attr, qpNum);
        qp = new RxeQp(attr, qpNum, host, ReadyEvents.of(events, this));
    }

    /** Creates a queue pair with the given memory for the inline data of the send queue. */
    public RxeQueuePair(
            Context context,
            QpInitAttrEx attr,
            int qpNum,
            QpHost host,
            EventQueue<AsyncEvent> events,
            RingMemory inlineMemory) {
        super(context, attr, qpNum);
        qp = new RxeQp(attr, qpNum, host, ReadyEvents.of(events, this), inlineMemory);
    }

    @Override
    public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
        return lanes.isHandedOver() ? refuse(wr, badWr) : qp.postSend(wr, badWr);
    }

    @Override
    protected int postBuilt(SendBuilder builder) {
        return lanes.isHandedOver() ? Errno.EBUSY : qp.postBuilt(builder);
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return qp.postRecv(wr, badWr);
    }

    @Override
    public int bindMw(MemoryWindow mw, MwBind bind) {
        return lanes.isHandedOver() ? Errno.EBUSY : qp.bindMw(mw, bind);
    }

    private static int refuse(SendWorkRequest wr, SendWorkRequest[] badWr) {
        if (badWr != null && badWr.length != 0) {
            badWr[0] = wr;
        }
        return Errno.EBUSY;
    }
}
