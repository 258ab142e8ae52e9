/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.WorkCompletion;
import io.verbs4j.provider.mlx5.ring.CqRing;
import io.verbs4j.rdmacore.flight.FailedRequests;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.quirk.TickClock;

/** A completion queue that Java polls and arms. */
final class Mlx5CompletionQueue extends NativeCompletionQueue {
    final CqRing ring;

    /** Creates an extended one. */
    Mlx5CompletionQueue(Mlx5Context base, CqInitAttrEx attr, Mlx5Cq cq, TickClock clock) {
        super(base.context(), attr.userContext(), attr.channel(), cq, attr.wcFlags(), cq.reader(attr.wcFlags(), clock));
        ring = cq.ring();
    }

    Mlx5CompletionQueue(Mlx5Context base, Object userContext, CompletionChannel channel, Mlx5Cq cq) {
        super(base.context(), userContext, channel, cq);
        ring = cq.ring();
    }

    @Override
    public int poll(int numEntries, WorkCompletion[] wc) {
        int taken = FailedRequests.polled(this, wc, ring.poll(numEntries, wc));
        return taken == 0 && numEntries > 0 && ibv.isOverrun() ? -Errno.EOVERFLOW : taken;
    }

    @Override
    public int reqNotify(boolean solicitedOnly) {
        return ring.arm(solicitedOnly);
    }
}
