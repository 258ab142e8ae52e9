/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.WorkCompletion;

/** A completion queue of a native device. */
public class NativeCompletionQueue extends CompletionQueue {
    /** The {@code struct ibv_cq}. */
    public final IbvCq ibv;

    /** Makes the handle of a {@code struct ibv_cq}. */
    public NativeCompletionQueue(Context context, Object userContext, CompletionChannel channel, IbvCq ibv) {
        super(context, ibv.cqe(), userContext, channel);
        this.ibv = ibv;
        ibv.tellSize(this::updateCqe);
    }

    @Override
    public int poll(int numEntries, WorkCompletion[] wc) {
        return ibv.poll(numEntries, wc);
    }

    @Override
    public int reqNotify(boolean solicitedOnly) {
        return ibv.reqNotify(solicitedOnly);
    }
}
