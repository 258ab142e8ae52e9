/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.WorkCompletion;
import io.verbs4j.provider.gaudi.ring.CqRing;
import io.verbs4j.provider.gaudi.ring.CqRingReader;
import io.verbs4j.rdmacore.flight.FailedRequests;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;

/** A completion queue that Java polls. It has no events. */
final class GaudiCompletionQueue extends NativeCompletionQueue {
    private final CqRing ring;

    GaudiCompletionQueue(Context context, CqInitAttrEx attr, GaudiCq cq) {
        super(context, attr.userContext(), null, cq, attr.wcFlags(), new CqRingReader(cq.ring(), cq::isOverrun));
        ring = cq.ring();
    }

    @Override
    public int poll(int numEntries, WorkCompletion[] wc) {
        int taken = FailedRequests.polled(this, wc, ring.poll(numEntries, wc));
        return taken == 0 && numEntries > 0 && ibv.isOverrun() ? -Errno.EOVERFLOW : taken;
    }

    @Override
    public int reqNotify(boolean solicitedOnly) {
        return ring.isEnded() ? Errno.EINVAL : Errno.EOPNOTSUPP;
    }
}
