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

/** A {@code struct ibv_srq} and posting to it. */
public class IbvSrq extends IbvObject {
    private final ReceivePost receives;
    private volatile int maxWr;
    private final int maxSge;

    /** For a queue of type TM; otherwise null. */
    private final OpsPost ops;

    /** Creates the object for a {@code struct ibv_srq}; the attributes hold the granted capacities. */
    public IbvSrq(SrqInitAttrEx attr, long address, ContextFunctions functions) {
        this(attr, address, functions, (OpsPost) null);
    }

    /** Creates the object for a queue of type TM whose buffers have at most {@code maxTagSge} elements. */
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
     * Limits queried capacities to those at creation: libmlx5 reserves some elements for itself, and the device counts
     * them as well.
     */
    public final void clip(SrqAttr attr) {
        attr.maxWr(Math.min(attr.maxWr(), maxWr)).maxSge(Math.min(attr.maxSge(), maxSge));
    }

    /** Notes a changed size: from now on the device's number applies. */
    public final void resized() {
        maxWr = Integer.MAX_VALUE;
        receives.resized();
    }

    /** Explains which rule a receive breaks, or returns null if none is known. */
    public final String broken(RecvWorkRequest wr) {
        return receives.broken(wr);
    }

    final int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return receives.post(address(), wr, badWr);
    }

    final int postOps(OpsWorkRequest wr, OpsWorkRequest[] badWr) {
        return ops == null ? BadWr.tell(wr, badWr, Errno.EINVAL) : ops.post(address(), wr, badWr);
    }

    /** Destroys the queue; if that fails, it stays as it was. */
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
