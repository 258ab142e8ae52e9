/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.compat.kit.Capability;

/** The model's shared receive queue; programs hold a {@link Handle}. */
final class ModelSrq {
    final Handle handle;
    final int own;
    final int maxWr;
    final Receives receives;

    /** The list of a queue that matches tags; otherwise null. */
    final ModelTags tags;

    int limit;
    private final ModelOps ops;
    private final Rings rings;
    private boolean closed;
    private int asked;

    /** The handle has only methods of the header; anything else that the model needs is in {@link ModelSrq}. */
    static final class Handle extends SharedReceiveQueue {
        final ModelSrq model;

        private Handle(ModelSrq model, SrqInitAttrEx attr) {
            super(model.ops.context(), attr);
            this.model = model;
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            return model.postRecv(wr, badWr);
        }

        @Override
        public int postSrqOps(OpsWorkRequest wr, OpsWorkRequest[] badWr) {
            return model.postOps(wr, badWr);
        }
    }

    ModelSrq(ModelOps ops, SrqInitAttrEx attr, int number) {
        this.ops = ops;
        rings = Rings.of("create_srq", attr.pd(), Rings.SRQ);
        own = number;
        int asked = attr.attr().maxWr();
        boolean more = Fault.SRQ_TELLS_LESS.on() && attr.srqType() == SrqType.BASIC
                || Fault.XRC_SRQ_TELLS_LESS.on() && attr.srqType() == SrqType.XRC;
        maxWr = more ? asked + 1 : asked;
        receives = new Receives(maxWr);
        tags = attr.srqType() == SrqType.TM ? new ModelTags(this, attr.tmMaxNumTags()) : null;
        handle = new Handle(this, attr);
    }

    static ModelSrq of(SharedReceiveQueue srq) {
        return srq == null ? null : ((Handle) srq).model;
    }

    int number() {
        return Fault.SRQ_NUMBER_CHANGES.on() && asked++ % 2 == 1 ? own + 1 : own;
    }

    private int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        synchronized (Fabric.LOCK) {
            if (closed || wr == null) {
                return Errno.EINVAL;
            }
            int error = receives.post(wr, badWr);
            Fabric.run();
            return error != 0 && Fault.SRQ_FULL_EINVAL.on() ? Errno.EINVAL : error;
        }
    }

    private int postOps(OpsWorkRequest wr, OpsWorkRequest[] badWr) {
        synchronized (Fabric.LOCK) {
            if (!Traits.has(Capability.TAG_MATCHING)) {
                return Errno.EOPNOTSUPP;
            }
            return closed || tags == null ? Errno.EINVAL : tags.post(wr, badWr);
        }
    }

    Receives.Entry take() {
        Receives.Entry entry = receives.take(Fault.SRQ_BACKWARDS.on());
        if (entry != null && receives.size() < limit) {
            limit = 0;
            if (!Fault.NO_LIMIT_EVENT.on() && Traits.has(Capability.ASYNC_EVENTS)) {
                ops.event(AsyncEvent.of(EventType.SRQ_LIMIT_REACHED, handle));
            }
        }
        return entry;
    }

    void destroy() {
        closed = true;
        Rings.free(rings);
        Fabric.SRQS.remove(own);
    }
}
