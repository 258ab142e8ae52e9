/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.Errno;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.provider.mlx5.ring.CqRing;
import io.verbs4j.provider.mlx5.ring.SharedRing;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.object.IbvSrq;

/** The native side of a shared receive queue that Java posts to. */
final class Mlx5Srq extends IbvSrq {
    private final Mlx5Context base;
    private final RingLock lock;
    private final SharedRing ring;
    private final CqRing completions; // for type XRC, which has its own completion queue; otherwise null
    private final int xrcIndex;

    Mlx5Srq(Mlx5Context base, SrqInitAttrEx attr, long srq) {
        super(attr, srq, base.functions());
        this.base = base;
        lock = base.locks().make();
        ring = ring(srq, attr.attr().maxSge(), lock);
        completions = attr.cq() instanceof Mlx5CompletionQueue cq ? cq.ring : null;
        xrcIndex = completions != null ? XrcIndex.of(srq) : XrcIndex.UNKNOWN;
        if (completions != null && !completions.xrcReceives().attach(xrcIndex, ring)) {
            base.locks().remove(lock);
            Libibverbs.ibv_destroy_srq(srq);
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "create_srq_ex",
                    "without DevX, a completion queue that Java polls can serve only one shared receive queue of type"
                            + " XRC; give this one a completion queue of its own, or use -D" + Mlx5Context.PATH
                            + "=native");
        }
    }

    private static SharedRing ring(long srq, int maxSge, RingLock lock) {
        DvObjects.Srq r = DvObjects.srq(srq);
        return new SharedRing(r.buf(), r.stride(), r.dbrec(), r.head(), r.tail(), maxSge, lock);
    }

    SharedRing ring() {
        return ring;
    }

    @Override
    public void destroy() {
        if (completions == null) {
            ring.close(super::destroy);
        } else {
            completions.xrcReceives().detach(xrcIndex, ring, () -> ring.close(super::destroy));
        }
        base.locks().remove(lock);
    }
}
