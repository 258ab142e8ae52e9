/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.provider.gaudi.ring.SendRing;
import io.verbs4j.rdmacore.object.BadWr;
import io.verbs4j.rdmacore.object.NativeQueuePair;

/** A queue pair that Java posts to. It supports RDMA writes only; everything else is refused before any native call. */
final class GaudiQueuePair extends NativeQueuePair {
    private final SendRing sends;
    private final GaudiQp qp;

    GaudiQueuePair(Context context, QpInitAttrEx attr, GaudiQp qp) {
        super(context, attr, qp);
        sends = qp.sends();
        this.qp = qp;
    }

    @Override
    public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
        return sends.post(wr, badWr);
    }

    @Override
    protected int postBuilt(SendBuilder builder) {
        return sends.post(builder);
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return BadWr.tell(wr, badWr, refusal(wr));
    }

    @Override
    public int bindMw(MemoryWindow mw, MwBind bind) {
        return mw == null ? Errno.EINVAL : refusal(bind);
    }

    private int refusal(Object what) {
        return what == null || qp.isGone() ? Errno.EINVAL : Errno.EOPNOTSUPP;
    }
}
