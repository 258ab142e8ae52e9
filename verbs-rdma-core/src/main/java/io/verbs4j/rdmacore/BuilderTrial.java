/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpType;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.layout.QpCapLayout;
import io.verbs4j.rdmacore.layout.QpInitAttrExLayout;

/**
 * Finds out which operations work through {@code ibv_wr_*} alone: atomic writes and flushes, for which
 * {@code ibv_post_send} has no fields. The kernel reports its support as capabilities. The driver reports neither its
 * support nor its release, so this class creates a queue pair for each operation to try it.
 */
final class BuilderTrial {
    private static final long FLUSHES = DeviceCap.FLUSH_GLOBAL | DeviceCap.FLUSH_PERSISTENT;

    private final long context;
    private final NativeFunction createQpEx;
    private final boolean known;
    private long able = -1;

    /**
     * Creates the trial; nothing has been tried yet.
     *
     * @param known whether the driver is one that is known to have such operations at all
     */
    BuilderTrial(NativeContext base, boolean known) {
        this.context = base.address();
        this.createQpEx = base.functions().extended(ExtendedContextLayout.CREATE_QP_EX);
        this.known = known;
    }

    /**
     * Returns which of these operations RC queue pairs support, {@link QpCreateSendOps} bits.
     *
     * @param capabilities of the device, {@link DeviceCap} bits
     */
    synchronized long able(long capabilities) {
        if (able < 0) {
            long wanted = (capabilities & DeviceCap.ATOMIC_WRITE) == 0 ? 0 : QpCreateSendOps.ATOMIC_WRITE;
            wanted |= (capabilities & FLUSHES) == 0 ? 0 : QpCreateSendOps.FLUSH;
            if (!known || createQpEx == null || wanted == 0) {
                able = 0;
            } else {
                return tried(wanted);
            }
        }
        return able;
    }

    /**
     * Tries each operation. If a trial cannot be made, the operation counts as missing this time and is tried again.
     */
    private long tried(long wanted) {
        long pd = Libibverbs.ibv_alloc_pd(context);
        long cq = pd == 0 ? 0 : Libibverbs.ibv_create_cq(context, 1, 0, 0, 0);
        try {
            long has = 0;
            boolean sure = cq != 0;
            for (long one = Long.lowestOneBit(wanted);
                    sure && one != 0;
                    one = Long.lowestOneBit(wanted & ~(2 * one - 1))) {
                int errno = make(pd, cq, one);
                has |= errno == 0 ? one : 0;
                sure = errno == 0 || Answers.isLacking(errno);
            }
            able = sure ? has : able;
            return has;
        } finally {
            if (cq != 0) {
                Libibverbs.ibv_destroy_cq(cq);
            }
            if (pd != 0) {
                Libibverbs.ibv_dealloc_pd(pd);
            }
        }
    }

    /** Creates a queue pair for an operation and destroys it; returns 0 or an errno. */
    private int make(long pd, long cq, long operation) {
        try (Scratch c = new Scratch(QpInitAttrExLayout.SIZEOF)) {
            long at = c.address();
            long cap = at + QpInitAttrExLayout.CAP;
            NativeMemory.putLong(at + QpInitAttrExLayout.SEND_CQ, cq);
            NativeMemory.putLong(at + QpInitAttrExLayout.RECV_CQ, cq);
            NativeMemory.putInt(cap + QpCapLayout.MAX_SEND_WR, 1);
            NativeMemory.putInt(cap + QpCapLayout.MAX_RECV_WR, 1);
            NativeMemory.putInt(cap + QpCapLayout.MAX_SEND_SGE, 1);
            NativeMemory.putInt(cap + QpCapLayout.MAX_RECV_SGE, 1);
            NativeMemory.putInt(at + QpInitAttrExLayout.QP_TYPE, QpType.RC);
            NativeMemory.putInt(at + QpInitAttrExLayout.COMP_MASK, (int) QpInitAttrMask.PD);
            NativeMemory.putLong(at + QpInitAttrExLayout.PD, pd);
            QpVerbs.askFor(at, operation);
            long qp = createQpEx.call(context, at);
            if (qp == 0) {
                int errno = Libc.errno();
                return errno == 0 ? Errno.EINVAL : errno;
            }
            return Answers.errno(Libibverbs.ibv_destroy_qp(qp));
        }
    }
}
