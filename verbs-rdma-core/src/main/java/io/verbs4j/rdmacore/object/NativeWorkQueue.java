/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Context;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.WorkQueue;
import io.verbs4j.WqInitAttr;

/** A work queue of a native device. */
public final class NativeWorkQueue extends WorkQueue {
    /** The {@code struct ibv_wq}. */
    public final IbvWq ibv;

    /** Creates the handle of a {@code struct ibv_wq}. */
    public NativeWorkQueue(Context context, WqInitAttr attr, IbvWq ibv) {
        super(context, attr, ibv.wqNum());
        this.ibv = ibv;
        ibv.tellState(this::updateWqState);
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return ibv.postRecv(wr, badWr);
    }
}
