/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Context;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqInitAttrEx;

/** A shared receive queue of a native device. */
public class NativeSharedReceiveQueue extends SharedReceiveQueue {
    /** The {@code struct ibv_srq}. */
    public final IbvSrq ibv;

    /** Creates the handle of a {@code struct ibv_srq}. */
    public NativeSharedReceiveQueue(Context context, SrqInitAttrEx attr, IbvSrq ibv) {
        super(context, attr);
        this.ibv = ibv;
    }

    @Override
    public int postSrqOps(OpsWorkRequest wr, OpsWorkRequest[] badWr) {
        return ibv.postOps(wr, badWr);
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return ibv.postRecv(wr, badWr);
    }
}
