/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.queue.BadWr;
import io.verbs4j.provider.rxe.queue.EventQueue;
import io.verbs4j.provider.rxe.queue.ReadyEvents;

/** A handle of a queue pair of type XRC_RECV. Nothing can be posted to it: it sends nothing, and has no receive queue. */
public final class RxeXrcHandle extends QueuePair implements XrcTarget.Handle {
    private final XrcTarget target;

    /** In place of the former, where another process has the queue pair. */
    private final RemoteTarget remote;

    private final ReadyEvents events;
    private volatile boolean closed;

    /** Makes the first handle. */
    public RxeXrcHandle(Context context, QpInitAttrEx attr, XrcTarget target, EventQueue<AsyncEvent> events) {
        super(context, attr, target.qpNum());
        this.target = target;
        this.remote = null;
        this.events = ReadyEvents.of(events, this);
        target.open(this);
    }

    /** Opens another handle. */
    public RxeXrcHandle(Context context, QpOpenAttr attr, EventQueue<AsyncEvent> events) {
        super(context, attr);
        XrcDomainState domain = ((RxeXrcDomain) attr.xrcd()).state();
        this.events = ReadyEvents.of(events, this);
        this.target = domain.target(attr.qpNum());
        this.remote = target == null ? RemoteTarget.find(domain, attr.qpNum(), this) : null;
        if (remote == null && (target == null || !target.open(this))) {
            this.events.drop();
            throw new VerbsException(
                    Errno.EINVAL,
                    "open_qp",
                    "the domain has no queue pair of type XRC_RECV with number " + attr.qpNum()
                            + "; take the number that its maker tells, and the same domain");
        }
    }

    /** The queue pair, where another process has it; else null. */
    public RemoteTarget remote() {
        return remote;
    }

    /** The queue pair, where this process has it; else null. */
    public XrcTarget target() {
        return target;
    }

    @Override
    public void raise(int eventType) {
        if (!closed) {
            events.raise(eventType);
        }
    }

    /** Closes the handle; tells whether it was the last one of a queue pair of this process. */
    public boolean release() {
        closed = true;
        if (remote != null) {
            remote.close();
        }
        boolean last = target != null && target.close(this);
        events.drop();
        return last;
    }

    @Override
    public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
        return BadWr.tell(wr, badWr, Errno.EINVAL);
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return BadWr.tell(wr, badWr, Errno.EINVAL);
    }

    @Override
    public int bindMw(MemoryWindow mw, MwBind bind) {
        return Errno.EINVAL;
    }
}
