/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.Errno;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.provider.mlx5.ring.SharedRing;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.object.NativeSharedReceiveQueue;

/** A shared receive queue that Java posts to. */
final class Mlx5SharedReceiveQueue extends NativeSharedReceiveQueue {
    private final SharedRing ring;

    Mlx5SharedReceiveQueue(Mlx5Context base, SrqInitAttrEx attr, long srq) {
        super(base.context(), attr, srq, base.functions());
        ring = ring(base, srq, attr.attr().maxSge());
        if (attr.cq() instanceof Mlx5CompletionQueue cq && !cq.ring().attach(ring)) {
            Libibverbs.ibv_destroy_srq(srq);
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "create_srq_ex",
                    "a completion queue that Java polls serves one shared receive queue of type XRC; give this one a queue of"
                            + " its own, or use -D" + DataPath.PATH + "=native");
        }
    }

    private static SharedRing ring(Mlx5Context base, long srq, int maxSge) {
        DvObjects.Srq r = DvObjects.srq(srq);
        return new SharedRing(
                r.buf(),
                r.stride(),
                r.dbrec(),
                r.head(),
                r.tail(),
                maxSge,
                base.path().singleThreaded());
    }

    SharedRing ring() {
        return ring;
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return ring.post(wr, badWr);
    }

    @Override
    public void destroy() {
        ring.close(super::destroy);
        if (cq() instanceof Mlx5CompletionQueue cq) {
            cq.ring().detach(ring);
        }
    }
}
