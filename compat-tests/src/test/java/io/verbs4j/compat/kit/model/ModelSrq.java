/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqInitAttrEx;

/** The model's shared receive queue. */
final class ModelSrq extends SharedReceiveQueue {
    final int own;
    final int maxWr;
    final Receives receives;
    int limit;
    private final ModelOps ops;
    private boolean closed;
    private int asked;

    ModelSrq(ModelOps ops, SrqInitAttrEx attr, int number) {
        super(ops.context(), attr);
        this.ops = ops;
        own = number;
        maxWr = attr.attr().maxWr();
        receives = new Receives(maxWr);
    }

    int number() {
        return Fault.SRQ_NUMBER_CHANGES.on() && asked++ % 2 == 1 ? own + 1 : own;
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        synchronized (Fabric.LOCK) {
            if (closed || wr == null) {
                return Errno.EINVAL;
            }
            int error = receives.post(wr, badWr);
            Fabric.run();
            return error != 0 && Fault.SRQ_FULL_EINVAL.on() ? Errno.EINVAL : error;
        }
    }

    Receives.Entry take() {
        Receives.Entry entry = receives.take(Fault.SRQ_BACKWARDS.on());
        if (entry != null && receives.size() < limit) {
            limit = 0;
            if (!Fault.NO_LIMIT_EVENT.on()) {
                ops.event(AsyncEvent.of(EventType.SRQ_LIMIT_REACHED, this));
            }
        }
        return entry;
    }

    void destroy() {
        closed = true;
        Fabric.SRQS.remove(own);
    }
}
