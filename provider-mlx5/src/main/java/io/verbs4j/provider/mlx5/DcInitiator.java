/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.Errno;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.rdmacore.object.BadWr;
import io.verbs4j.rdmacore.object.NativeQueuePair;

/**
 * A DC initiator whose queue libmlx5 writes. It can't be posted to: libmlx5 takes the target's address by {@code ibv_wr_*} only,
 * and by a work request would write an element without one.
 */
final class DcInitiator extends NativeQueuePair {
    DcInitiator(Mlx5Context base, QpInitAttrEx attr, long qp) {
        super(base.context(), attr, qp, base.functions(), base.regions());
    }

    @Override
    public int postSend(SendWorkRequest first, SendWorkRequest[] badWr) {
        return BadWr.tell(first, badWr, Errno.EOPNOTSUPP);
    }

    @Override
    public int bindMw(MemoryWindow mw, MwBind bind) {
        return Errno.EOPNOTSUPP;
    }
}
