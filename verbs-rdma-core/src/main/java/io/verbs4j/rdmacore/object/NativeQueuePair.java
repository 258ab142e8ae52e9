/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Context;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;

/** A queue pair of a native device. */
public class NativeQueuePair extends QueuePair {
    /** The {@code struct ibv_qp}. */
    public final IbvQp ibv;

    /** Creates the handle of a {@code struct ibv_qp}. */
    public NativeQueuePair(Context context, QpInitAttrEx attr, IbvQp ibv) {
        super(context, attr, ibv.qpNum());
        this.ibv = ibv;
        ibv.tellNumber(this::updateQpNum);
    }

    /** Creates another handle of a queue pair of an XRC domain. */
    public NativeQueuePair(Context context, QpOpenAttr attr, IbvQp ibv) {
        super(context, attr);
        this.ibv = ibv;
    }

    @Override
    public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
        return ibv.postSend(wr, badWr);
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return ibv.postRecv(wr, badWr);
    }

    @Override
    public int bindMw(MemoryWindow mw, MwBind bind) {
        return ibv.bindMw(mw, bind);
    }
}
