/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;

/** A {@code struct ibv_srq}, and posting to it. */
public class IbvSrq extends IbvObject {
    private final ReceivePost receives;
    private volatile int maxWr;
    private final int maxSge;

    /** Of a queue of type TM; else null. */
    private final OpsPost ops;

    /** Of a {@code struct ibv_srq}; the attributes hold the capacities that were given. */
    public IbvSrq(SrqInitAttrEx attr, long address, ContextFunctions functions) {
        this(attr, address, functions, (OpsPost) null);
    }

    /** Of a queue of type TM, whose buffers have so many elements at most. */
    public IbvSrq(SrqInitAttrEx attr, long address, ContextFunctions functions, int maxTagSge) {
        this(
                attr,
                address,
                functions,
                new OpsPost(functions.extended(ExtendedContextLayout.POST_SRQ_OPS), attr, maxTagSge));
    }

    private IbvSrq(SrqInitAttrEx attr, long address, ContextFunctions functions, OpsPost ops) {
        super(address);
        maxWr = attr.attr().maxWr();
        maxSge = attr.attr().maxSge();
        receives = new ReceivePost(functions.postSrqRecv(), maxWr, maxSge, true);
        this.ops = ops;
    }

    /**
     * Makes an answer of the device tell no more than the queue was made with: libmlx5 keeps some elements for itself, and the
     * device counts them in.
     */
    public final void clip(SrqAttr attr) {
        attr.maxWr(Math.min(attr.maxWr(), maxWr)).maxSge(Math.min(attr.maxSge(), maxSge));
    }

    /** The size was changed: from now on the device tells it. */
    public final void resized() {
        maxWr = Integer.MAX_VALUE;
        receives.resized();
    }

    /** Which rule a receive breaks, in words; null where none is known. */
    public final String broken(RecvWorkRequest wr) {
        return receives.broken(wr);
    }

    final int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return receives.post(address(), wr, badWr);
    }

    final int postOps(OpsWorkRequest wr, OpsWorkRequest[] badWr) {
        return ops == null ? BadWr.tell(wr, badWr, Errno.EINVAL) : ops.post(address(), wr, badWr);
    }

    /** Destroys the queue; it stays as it was where that fails. */
    public void destroy() {
        if (ops == null) {
            destroyQueue();
        } else {
            ops.close(this::destroyQueue);
        }
    }

    private void destroyQueue() {
        receives.close(() -> Answers.check("destroy_srq", Libibverbs.ibv_destroy_srq(address())));
    }
}
