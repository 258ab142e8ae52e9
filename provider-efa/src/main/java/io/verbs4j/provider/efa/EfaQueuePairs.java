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

/** Rules for EFA's queue pairs, and the creation of SRD queue pairs. */
final class EfaQueuePairs {
    static final long SENDS = QpCreateSendOps.SEND | QpCreateSendOps.SEND_WITH_IMM;

    /** Operations that only {@code ibv_wr_*} can post: the older interface has no fields for them. */
    static final long RDMA =
            QpCreateSendOps.RDMA_READ | QpCreateSendOps.RDMA_WRITE | QpCreateSendOps.RDMA_WRITE_WITH_IMM;

    private static final String VERB = "efadv_create_qp_ex";
    private static final long KNOWN =
            QpInitAttrMask.PD | QpInitAttrMask.SEND_OPS_FLAGS | QpInitAttrMask.CREATE_FLAGS | QpInitAttrMask.VENDOR;
    private static final int BYTE = 0xff;
    private static final int SHORT = 0xffff;

    /** Size that every release accepts; {@code wr_flags} lies beyond it. */
    private static final int FIRST_SIZE = EfaQpInitAttrLayout.WR_FLAGS;

    private EfaQueuePairs() {}

    private static VerbsException unsupported(String verb, String what) {
        return new VerbsException(Errno.EOPNOTSUPP, verb, what);
    }

    /** Returns whether a queue pair can only be created by efadv. */
    static boolean isOurs(QpInitAttrEx attr) {
        return attr.qpType() == QpType.DRIVER || (attr.compMask() & QpInitAttrMask.VENDOR) != 0;
    }

    /**
     * Refuses what the device does not support, with a reason, and keeps libefa from dividing by 0 receive elements.
     */
    static void prepare(String verb, QpInitAttrEx attr) {
        if (attr.qpType() != QpType.UD && attr.qpType() != QpType.DRIVER) {
            throw unsupported(
                    verb,
                    "EFA supports queue pairs of type UD and of type DRIVER (SRD), not of type "
                            + QpType.toString(attr.qpType()));
        }
        if (attr.srq() != null) {
            throw unsupported(verb, "EFA has no shared receive queues; leave srq out");
        }
        if (attr.cap().maxRecvSge() == 0) {
            attr.cap().maxRecvSge(1);
        }
    }

    /** Returns the vendor's attributes, validated; those of a plain SRD queue pair if there are none. */
    static EfaQpInitAttr checked(QpInitAttrEx attr) {
        Answers.refuseUnknown(VERB, attr, KNOWN);
        if (attr.qpType() != QpType.DRIVER) {
            throw new VerbsException(
                    Errno.EINVAL, VERB, "EfaQpInitAttr requires the type QpType.DRIVER; set it in attr");
        }
        VendorContext.requireParents(VERB, attr);
        Answers.requireKnown( // except optional flags, which are not passed on
                VERB, "createFlags", attr.createFlags(), QpCreateFlags.OPTIONAL_RANGE, QpCreateFlags::toString);
        if (attr.vendor() == null) {
            return new EfaQpInitAttr();
        }
        EfaQpInitAttr efa = VendorContext.vendorAttr(VERB, attr.vendor(), EfaQpInitAttr.class);
        if (efa.driverQpType() != EfaQpInitAttr.SRD) {
            throw unsupported(VERB, "driverQpType is " + efa.driverQpType() + "; only EfaQpInitAttr.SRD is supported");
        }
        Answers.narrow(VERB, "sl", efa.sl(), BYTE);
        Answers.narrow(VERB, "flags", efa.flags(), SHORT);
        return efa;
    }

    /** Returns whether every libefa knows all requested properties, so that EINVAL means that the request is wrong. */
    static boolean isPlain(EfaQpInitAttr efa) {
        return (efa.flags() | efa.sl()) == 0 && efa.wrFlags() == 0;
    }

    /** Returns the operations that are posted by {@code ibv_wr_*}. Hints can only be passed that way as well. */
    static long built(long operations, EfaQpInitAttr efa) {
        return takesHints(efa) ? operations : operations & RDMA;
    }

    static boolean takesHints(EfaQpInitAttr efa) {
        return (efa.wrFlags() & EfaWrFlags.PROCESSING_HINTS) != 0;
    }

    static boolean writesInline(EfaQpInitAttr efa) {
        return (efa.flags() & EfaQpFlags.INLINE_WRITE) != 0;
    }

    /** Returns the vendor's attributes of an existing queue pair; the defaults if there are none. */
    static EfaQpInitAttr of(QpInitAttrEx attr) {
        return attr.vendor() instanceof EfaQpInitAttr efa ? efa : new EfaQpInitAttr();
    }

    /** Returns the operations that an SRD queue pair supports, from {@link EfaDeviceCap} bits. */
    static long ableSrd(int caps) {
        long able = SENDS;
        able |= (caps & EfaDeviceCap.RDMA_READ) == 0 ? 0 : QpCreateSendOps.RDMA_READ;
        return (caps & EfaDeviceCap.RDMA_WRITE) == 0 ? able : able | RDMA & ~QpCreateSendOps.RDMA_READ;
    }

    /** Describes what the device or an older library lacks. */
    static String asks(EfaQpInitAttr efa) {
        return "the device, its driver or the loaded libefa does not support what EfaQpInitAttr requests: flags 0x"
                + Integer.toHexString(efa.flags()) + " (since rdma-core 52), sl " + efa.sl() + " (55), wrFlags 0x"
                + Long.toHexString(efa.wrFlags()) + " (64)";
    }

    /**
     * Creates an SRD queue pair from a {@code struct ibv_qp_init_attr_ex}. Returns the {@code struct ibv_qp}, or 0 on
     * failure.
     */
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
