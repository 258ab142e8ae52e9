/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Context;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.event.EventCount;
import io.verbs4j.rdmacore.memory.Pin;

/** A shared receive queue of a native device. */
public class NativeSharedReceiveQueue extends SharedReceiveQueue implements EventTarget {
    private final long address;
    private final ReceivePost receives;
    private final EventCount asyncEvents = new EventCount();
    private final Pin pin = new Pin();
    private volatile int maxWr;
    private final int maxSge;

    /** Makes the handle of a {@code struct ibv_srq}; the attributes hold the capacities that were given. */
    public NativeSharedReceiveQueue(Context context, SrqInitAttrEx attr, long address, ContextFunctions functions) {
        super(context, attr);
        this.address = address;
        this.maxWr = attr.attr().maxWr();
        this.maxSge = attr.attr().maxSge();
        this.receives = new ReceivePost(
                functions.postSrqRecv(), attr.attr().maxWr(), attr.attr().maxSge(), true);
    }

    @Override
    public final long address() {
        return address;
    }

    /** The address of a queue, or 0 for null. */
    public static long addressOf(SharedReceiveQueue srq) {
        return srq == null ? 0 : ((NativeSharedReceiveQueue) srq).address;
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
    }

    @Override
    public final EventCount asyncEvents() {
        return asyncEvents;
    }

    @Override
    public final Pin pin() {
        return pin;
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return receives.post(address, wr, badWr);
    }

    /** Destroys the queue; it stays as it was where that fails. Its events were given back. */
    public void destroy() {
        receives.close(() -> Answers.check("destroy_srq", Libibverbs.ibv_destroy_srq(address)));
    }
}
