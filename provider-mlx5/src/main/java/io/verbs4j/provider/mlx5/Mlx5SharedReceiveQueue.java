/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.provider.mlx5.ring.SharedRing;
import io.verbs4j.rdmacore.object.NativeSharedReceiveQueue;

/** A shared receive queue that Java posts to. */
final class Mlx5SharedReceiveQueue extends NativeSharedReceiveQueue {
    final SharedRing ring;

    Mlx5SharedReceiveQueue(Mlx5Context base, SrqInitAttrEx attr, Mlx5Srq srq) {
        super(base.context(), attr, srq);
        ring = srq.ring();
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return ring.post(wr, badWr);
    }
}
