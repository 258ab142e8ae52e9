/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqAttrMask;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsException;
import io.verbs4j.WorkCompletion;
import io.verbs4j.provider.rxe.memory.Domains;

/** A shared receive queue of the embedded device. */
public final class RxeSrq {
    private final ProtectionDomain pd;

    /** The completion queue of receives if the type is XRC or TM; otherwise null. */
    private final RxeCq cq;

    private final RecvQueue queue;
    private final ReadyEvents events;

    /** The matching list if the type is TM; otherwise null. */
    private final TagList tags;

    private volatile boolean closed;
    private int limit;

    private int number;

    /** Creates a queue of any type. */
    RxeSrq(SrqInitAttrEx attr, ReadyEvents events) {
        this.pd = Domains.root(attr.pd());
        this.cq = attr.cq() == null ? null : ((RxeCompletionQueue) attr.cq()).cq;
        this.queue = new RecvQueue(attr.attr().maxWr(), attr.attr().maxSge());
        this.events = events;
        this.tags = attr.srqType() == SrqType.TM ? new TagList(this, attr.tmMaxNumTags(), attr.tmMaxOps()) : null;
    }

    /** Implements {@link io.verbs4j.SharedReceiveQueue#postRecv(RecvWorkRequest, RecvWorkRequest[])}. */
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        try {
            return closed ? BadWr.tell(wr, badWr, Errno.EINVAL) : queue.post(wr, badWr);
        } catch (Throwable e) {
            return BadWr.errno(e);
        }
    }

    /** Implements {@link io.verbs4j.SharedReceiveQueue#postSrqOps(OpsWorkRequest, OpsWorkRequest[])}. */
    int postOps(OpsWorkRequest wr, OpsWorkRequest[] badWr) {
        try {
            if (!closed && tags != null) {
                return tags.post(wr, badWr);
            }
        } catch (Throwable e) {
            return BadWr.errno(e);
        }
        if (badWr != null && badWr.length > 0) {
            badWr[0] = wr;
        }
        return Errno.EINVAL;
    }

    /** Takes the first element, whatever its size; returns false if there is none. */
    public boolean take(RecvWqe into) {
        return take(into, 0) == RecvQueue.TAKEN;
    }

    /** Takes an element like {@link RecvQueue#take(RecvWqe, long)}; raises the limit event if it is due. */
    public int take(RecvWqe into, long bytes) {
        int result = closed ? RecvQueue.EMPTY : queue.take(into, bytes);
        if (result != RecvQueue.TAKEN) {
            return result;
        }
        boolean reached = false;
        synchronized (this) {
            if (limit > 0 && queue.count() < limit) {
                limit = 0; // raised once; the application must arm it again
                reached = true;
            }
        }
        if (reached) {
            events.raise(EventType.SRQ_LIMIT_REACHED);
        }
        return result;
    }

    /**
     * Completes a receive of a queue of type XRC; returns false if the queue is closed or its completion queue full.
     */
    public synchronized boolean complete(WorkCompletion entry, boolean solicited) {
        return !closed && cq.push(entry, this, solicited);
    }

    /** Adds a completion of a queue of type TM. If the completion queue is full, that queue reports it. */
    public void push(WorkCompletion entry, boolean solicited) {
        cq.push(entry, this, solicited);
    }

    /** {@return whether the queue has a matching list} */
    public boolean matchesTags() {
        return tags != null;
    }

    /** {@return the matching list, or null} */
    TagList tags() {
        return tags;
    }

    /** {@return the completion queue of receives if the type is XRC or TM, otherwise null} */
    public RxeCq cq() {
        return cq;
    }

    /** {@return the domain that keys are checked against} */
    public ProtectionDomain pd() {
        return pd;
    }

    /** {@return the number that senders name; type XRC only} */
    public int number() {
        return number;
    }

    /** Sets the number, before the queue becomes visible. */
    public void number(int value) {
        number = value;
    }

    /** {@return the maximum number of pieces in an element} */
    public int maxSge() {
        return queue.maxSge();
    }

    /** {@return the maximum number of pieces in an element or a tagged buffer} */
    public int mostPieces() {
        return tags == null ? maxSge() : Math.max(maxSge(), TagList.MAX_SGE);
    }

    /** Changes size and limit. */
    public synchronized void change(SrqAttr attr, int mask) {
        int size = (mask & SrqAttrMask.MAX_WR) != 0 ? attr.maxWr() : queue.maxWr();
        if ((mask & SrqAttrMask.LIMIT) != 0 && attr.srqLimit() > size) {
            throw new VerbsException(
                    Errno.EINVAL, "modify_srq", "srqLimit is " + attr.srqLimit() + ", but the queue's size is " + size);
        }
        if ((mask & SrqAttrMask.MAX_WR) != 0 && !queue.resize(size)) {
            throw new VerbsException(
                    Errno.EINVAL, "modify_srq", queue.count() + " work requests are in the queue, more than " + size);
        }
        if ((mask & SrqAttrMask.LIMIT) != 0) {
            limit = attr.srqLimit();
        }
    }

    /** Reports the attributes. */
    public synchronized void tell(SrqAttr attr) {
        attr.maxWr(queue.maxWr()).maxSge(queue.maxSge()).srqLimit(limit);
    }

    /** Ends the queue. */
    public void destroy() {
        synchronized (this) {
            closed = true;
        }
        queue.clear();
        if (tags != null) {
            tags.clear();
        }
        if (cq != null) {
            cq.purge(this);
        }
        events.drop();
    }
}
