/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.Errno;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpType;
import io.verbs4j.VerbsException;
import io.verbs4j.efadv.EfaDeviceCap;
import io.verbs4j.efadv.EfaQpFlags;
import io.verbs4j.efadv.EfaQpInitAttr;
import io.verbs4j.efadv.EfaWrFlags;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.efa.dv.Libefa;
import io.verbs4j.provider.efa.layout.EfaQpInitAttrLayout;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;

/** What queue pairs EFA has, and how those of type SRD are made. */
final class EfaQueuePairs {
    static final long SENDS = QpCreateSendOps.SEND | QpCreateSendOps.SEND_WITH_IMM;

    /** What goes by {@code ibv_wr_*} alone: the older way of posting has no place for it. */
    static final long RDMA =
            QpCreateSendOps.RDMA_READ | QpCreateSendOps.RDMA_WRITE | QpCreateSendOps.RDMA_WRITE_WITH_IMM;

    private static final String VERB = "efadv_create_qp_ex";
    private static final long KNOWN =
            QpInitAttrMask.PD | QpInitAttrMask.SEND_OPS_FLAGS | QpInitAttrMask.CREATE_FLAGS | QpInitAttrMask.VENDOR;
    private static final int BYTE = 0xff;
    private static final int SHORT = 0xffff;

    /** What every release takes; beyond it is {@code wr_flags}. */
    private static final int FIRST_SIZE = EfaQpInitAttrLayout.WR_FLAGS;

    private EfaQueuePairs() {}

    private static VerbsException unsupported(String verb, String what) {
        return new VerbsException(Errno.EOPNOTSUPP, verb, what);
    }

    /** Whether a queue pair is of a type that the verbs have no other way to make. */
    static boolean isOurs(QpInitAttrEx attr) {
        return attr.qpType() == QpType.DRIVER || (attr.compMask() & QpInitAttrMask.VENDOR) != 0;
    }

    /** Refuses what the device has not, in words, and keeps libefa from dividing by the number of a receive's elements. */
    static void prepare(String verb, QpInitAttrEx attr) {
        if (attr.qpType() != QpType.UD && attr.qpType() != QpType.DRIVER) {
            throw unsupported(
                    verb,
                    "EFA has queue pairs of type UD, and of type DRIVER, which is SRD; it has none of type "
                            + QpType.toString(attr.qpType()));
        }
        if (attr.srq() != null) {
            throw unsupported(verb, "EFA has no shared receive queues; leave srq out");
        }
        if (attr.cap().maxRecvSge() == 0) {
            attr.cap().maxRecvSge(1);
        }
    }

    /** What the vendor's attributes say; those of a plain SRD queue pair where there are none. */
    static EfaQpInitAttr checked(QpInitAttrEx attr) {
        Answers.refuseUnknown(VERB, attr, KNOWN);
        if (attr.qpType() != QpType.DRIVER) {
            throw new VerbsException(
                    Errno.EINVAL, VERB, "EfaQpInitAttr goes with the type QpType.DRIVER; set it in attr");
        }
        VendorContext.requireParents(VERB, attr);
        Answers.requireKnown( // but for hints, which go no further
                VERB, "createFlags", attr.createFlags(), QpCreateFlags.OPTIONAL_RANGE, QpCreateFlags::toString);
        if (attr.vendor() == null) {
            return new EfaQpInitAttr();
        }
        EfaQpInitAttr efa = VendorContext.vendorAttr(VERB, attr.vendor(), EfaQpInitAttr.class);
        if (efa.driverQpType() != EfaQpInitAttr.SRD) {
            throw unsupported(VERB, "driverQpType is " + efa.driverQpType() + "; there is EfaQpInitAttr.SRD alone");
        }
        Answers.narrow(VERB, "sl", efa.sl(), BYTE);
        Answers.narrow(VERB, "flags", efa.flags(), SHORT);
        return efa;
    }

    /** Whether every libefa knows all that is asked for, so that EINVAL means that it is wrong. */
    static boolean isPlain(EfaQpInitAttr efa) {
        return (efa.flags() | efa.sl()) == 0 && efa.wrFlags() == 0;
    }

    /** What is posted by {@code ibv_wr_*}: hints go no other way, either. */
    static long built(long operations, EfaQpInitAttr efa) {
        return takesHints(efa) ? operations : operations & RDMA;
    }

    static boolean takesHints(EfaQpInitAttr efa) {
        return (efa.wrFlags() & EfaWrFlags.PROCESSING_HINTS) != 0;
    }

    static boolean writesInline(EfaQpInitAttr efa) {
        return (efa.flags() & EfaQpFlags.INLINE_WRITE) != 0;
    }

    /** The vendor's attributes of a queue pair that is made; the usual ones where there are none. */
    static EfaQpInitAttr of(QpInitAttrEx attr) {
        return attr.vendor() instanceof EfaQpInitAttr efa ? efa : new EfaQpInitAttr();
    }

    /** What can be posted to an SRD queue pair, by {@link EfaDeviceCap} bits. */
    static long ableSrd(int caps) {
        long able = SENDS;
        able |= (caps & EfaDeviceCap.RDMA_READ) == 0 ? 0 : QpCreateSendOps.RDMA_READ;
        return (caps & EfaDeviceCap.RDMA_WRITE) == 0 ? able : able | RDMA & ~QpCreateSendOps.RDMA_READ;
    }

    /** What the device, or a library that is older, does not have. */
    static String asks(EfaQpInitAttr efa) {
        return "the device, its driver or the loaded libefa does not have what EfaQpInitAttr asks for: flags 0x"
                + Integer.toHexString(efa.flags()) + " (from rdma-core 52 on), sl " + efa.sl() + " (55), wrFlags 0x"
                + Long.toHexString(efa.wrFlags()) + " (64)";
    }

    /** Makes one, of a {@code struct ibv_qp_init_attr_ex}; the {@code struct ibv_qp} or 0. */
    static long create(long context, long usual, EfaQpInitAttr efa) {
        NativeFunction function = Libefa.function(VERB, 26);
        try (Scratch c = new Scratch(EfaQpInitAttrLayout.SIZEOF)) {
            NativeMemory.putInt(c.address() + EfaQpInitAttrLayout.DRIVER_QP_TYPE, efa.driverQpType());
            NativeMemory.putShort(c.address() + EfaQpInitAttrLayout.FLAGS, efa.flags());
            NativeMemory.putByte(c.address() + EfaQpInitAttrLayout.SL, efa.sl());
            NativeMemory.putLong(c.address() + EfaQpInitAttrLayout.WR_FLAGS, efa.wrFlags());
            int size = efa.wrFlags() == 0 ? FIRST_SIZE : EfaQpInitAttrLayout.SIZEOF;
            return function.call(context, usual, c.address(), size);
        }
    }
}
