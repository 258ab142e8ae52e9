/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Context;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.provider.rxe.queue.BadWr;
import io.verbs4j.provider.rxe.queue.EventQueue;
import io.verbs4j.provider.rxe.queue.ReadyEvents;

/**
 * A program's handle of a queue pair of type XRC_RECV. Nothing can be posted to it, because it sends nothing and has no
 * receive queue.
 */
public final class RxeXrcQueuePair extends QueuePair {
    /** The hold on the queue pair. */
    public final XrcHold hold;

    /** Creates the first handle. */
    public RxeXrcQueuePair(Context context, QpInitAttrEx attr, RxeXrcQp target, EventQueue<AsyncEvent> events) {
        super(context, attr, target.qpNum());
        hold = new XrcHold(target, ReadyEvents.of(events, this));
    }

    /** Opens another handle. */
    public RxeXrcQueuePair(Context context, QpOpenAttr attr, EventQueue<AsyncEvent> events) {
        super(context, attr);
        hold = new XrcHold(((RxeXrcDomain) attr.xrcd()).domain, attr.qpNum(), ReadyEvents.of(events, this));
    }

    @Override
    public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
        return BadWr.tell(wr, badWr, hold.refusal(wr));
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return BadWr.tell(wr, badWr, hold.refusal(wr));
    }

    @Override
    public int bindMw(MemoryWindow mw, MwBind bind) {
        return mw == null ? hold.refusal(null) : hold.refusal(bind);
    }
}
