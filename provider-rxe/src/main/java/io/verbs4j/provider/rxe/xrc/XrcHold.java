/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.queue.ReadyEvents;

/** A handle's share in a queue pair of type XRC_RECV, which lives until its last share is released. */
public final class XrcHold implements RxeXrcQp.Handle {
    private final RxeXrcQp target;

    /** Replaces the target if another process owns the queue pair. */
    private final RemoteTarget remote;

    private final int qpNum;
    private final ReadyEvents events;
    private volatile boolean closed;

    /** Creates the first hold of a queue pair. */
    XrcHold(RxeXrcQp target, ReadyEvents events) {
        this.target = target;
        this.remote = null;
        this.qpNum = target.qpNum();
        this.events = events;
        target.open(this);
    }

    /** Creates a further hold of an existing queue pair. */
    XrcHold(XrcDomainState domain, int qpNum, ReadyEvents events) {
        this.qpNum = qpNum;
        this.events = events;
        this.target = domain.target(qpNum);
        this.remote = target == null ? RemoteTarget.find(domain, qpNum, this) : null;
        if (remote == null && (target == null || !target.open(this))) {
            this.events.drop();
            throw new VerbsException(
                    Errno.EINVAL,
                    "open_qp",
                    "the domain has no queue pair of type XRC_RECV with number " + qpNum
                            + "; use its creator's qpNum and the same domain");
        }
    }

    /** {@return the queue pair if another process owns it, otherwise null} */
    public RemoteTarget remote() {
        return remote;
    }

    /** {@return the queue pair if this process owns it, otherwise null} */
    public RxeXrcQp target() {
        return target;
    }

    int qpNum() {
        return qpNum;
    }

    @Override
    public void raise(int eventType) {
        if (!closed) {
            events.raise(eventType);
        }
    }

    /** Returns the error number for any attempt to post. */
    int refusal(Object posted) {
        return closed || posted == null ? Errno.EINVAL : Errno.EOPNOTSUPP;
    }

    /** Releases the hold; returns whether it was the last one of a queue pair of this process. */
    public boolean release() {
        closed = true;
        if (remote != null) {
            remote.close();
        }
        boolean last = target != null && target.close(this);
        events.drop();
        return last;
    }
}
