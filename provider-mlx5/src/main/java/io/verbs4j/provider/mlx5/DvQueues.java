/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.CqInitAttrMask;
import io.verbs4j.Errno;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.mlx5dv.Mlx5CqInitAttr;
import io.verbs4j.mlx5dv.Mlx5CqInitAttrMask;
import io.verbs4j.mlx5dv.Mlx5DcType;
import io.verbs4j.mlx5dv.Mlx5QpInitAttr;
import io.verbs4j.mlx5dv.Mlx5QpInitAttrMask;
import io.verbs4j.mlx5dv.Mlx5SendOps;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.mlx5.layout.DvCqInitAttrLayout;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.layout.CqInitAttrExLayout;
import io.verbs4j.rdmacore.layout.QpInitAttrExLayout;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.QpExFunctions;
import io.verbs4j.rdmacore.quirk.Libmlx5;
import io.verbs4j.rdmacore.quirk.Mlx5QueuePairs;
import io.verbs4j.rdmacore.quirk.layout.DvQpInitAttrLayout;

/** Creates completion queues and queue pairs with mlx5-specific attributes. */
final class DvQueues {
    private static final long CQ_KNOWN =
            Mlx5CqInitAttrMask.COMPRESSED_CQE | Mlx5CqInitAttrMask.FLAGS | Mlx5CqInitAttrMask.CQE_SIZE;
    private static final long QP_KNOWN = Mlx5QpInitAttrMask.QP_CREATE_FLAGS
            | Mlx5QpInitAttrMask.DC
            | Mlx5QpInitAttrMask.SEND_OPS_FLAGS
            | Mlx5QpInitAttrMask.DCI_STREAMS;

    /** {@code IBV_QP_INIT_ATTR_SEND_OPS_FLAGS}. */
    private static final int SEND_OPS_FLAGS = 1 << 6;

    /** {@code IBV_QP_EX_WITH_*}: writes, sends, reads and atomics. */
    private static final long INITIATOR_OPS = (1 << 9) - 1;

    /** The operations that configure keys. */
    private static final long KEY_OPS = Mlx5SendOps.MKEY_CONFIGURE | Mlx5SendOps.MR_LIST | Mlx5SendOps.MR_INTERLEAVED;

    private static final int BYTE = 0xff;
    private static final String CREATE_CQ = "mlx5dv_create_cq";

    private static final long VERBS_KNOWN =
            QpInitAttrMask.PD | QpInitAttrMask.XRCD | QpInitAttrMask.SEND_OPS_FLAGS | QpInitAttrMask.VENDOR;

    private DvQueues() {}

    private static VerbsException unsupported(String verb, String what) {
        return new VerbsException(Errno.EOPNOTSUPP, verb, what);
    }

    private static VerbsException invalid(String verb, String what) {
        return new VerbsException(Errno.EINVAL, verb, what);
    }

    /** Creates a completion queue with mlx5-specific attributes; returns the {@code struct ibv_cq}. */
    static long cq(Mlx5Context base, int cqe, CompletionChannel channel, int compVector, Object vendor) {
        Mlx5CqInitAttr attr = checked(base, vendor);
        try (Scratch c = new Scratch(CqInitAttrExLayout.SIZEOF)) {
            NativeMemory.putInt(c.address() + CqInitAttrExLayout.CQE, cqe);
            NativeMemory.putLong(c.address() + CqInitAttrExLayout.CHANNEL, IbvObject.addressOf(channel));
            NativeMemory.putInt(c.address() + CqInitAttrExLayout.COMP_VECTOR, compVector);
            return Answers.checkPointer(CREATE_CQ, createCq(base, attr, c.address()));
        }
    }

    /** Creates an extended completion queue with mlx5-specific attributes. */
    static CompletionQueue cq(Mlx5Context base, CqInitAttrEx attr) {
        Answers.refuseUnknown(CREATE_CQ, attr, CqInitAttrMask.FLAGS | CqInitAttrMask.VENDOR);
        Mlx5CqInitAttr dv = checked(base, attr.vendor());
        return base.createCq(CREATE_CQ, attr, at -> createCq(base, dv, at));
    }

    private static Mlx5CqInitAttr checked(Mlx5Context base, Object vendor) {
        Mlx5CqInitAttr attr = VendorContext.vendorAttr(CREATE_CQ, vendor, Mlx5CqInitAttr.class);
        Answers.refuseUnknown(CREATE_CQ, attr.compMask(), CQ_KNOWN);
        if ((attr.compMask() & Mlx5CqInitAttrMask.COMPRESSED_CQE) != 0 && base.isJavaPath()) {
            throw unsupported(
                    CREATE_CQ,
                    "Java does not read compressed completions; leave them out, or use -Dio.verbs4j.mlx5.path=native");
        }
        boolean hasSize = (attr.compMask() & Mlx5CqInitAttrMask.CQE_SIZE) != 0;
        if (hasSize && attr.cqeSize() != 64 && attr.cqeSize() != 128) {
            throw invalid(CREATE_CQ, "cqeSize is " + attr.cqeSize() + "; a completion has 64 or 128 bytes");
        }
        Answers.narrow(CREATE_CQ, "cqeCompression", attr.cqeCompression(), BYTE);
        return attr;
    }

    /** Creates a queue from a {@code struct ibv_cq_init_attr_ex}; returns it, or 0. */
    private static long createCq(Mlx5Context base, Mlx5CqInitAttr attr, long usual) {
        try (Scratch dv = new Scratch(DvCqInitAttrLayout.SIZEOF)) {
            NativeMemory.putLong(dv.address() + DvCqInitAttrLayout.COMP_MASK, attr.compMask());
            NativeMemory.putByte(dv.address() + DvCqInitAttrLayout.CQE_COMP_RES_FORMAT, attr.cqeCompression());
            NativeMemory.putInt(dv.address() + DvCqInitAttrLayout.FLAGS, attr.flags());
            NativeMemory.putShort(dv.address() + DvCqInitAttrLayout.CQE_SIZE, attr.cqeSize());
            return Libmlx5.function(CREATE_CQ, 14).call(base.address(), usual, dv.address());
        }
    }

    /** Returns whether a queue pair is created here: it has vendor attributes, or needs them. */
    static boolean isOurs(QpInitAttrEx attr) {
        return (attr.compMask() & QpInitAttrMask.VENDOR) != 0 || attr.qpType() == QpType.DRIVER;
    }

    /**
     * Returns the mlx5-specific operations that a queue pair is created for, {@link io.verbs4j.mlx5dv.Mlx5SendOps}
     * bits.
     */
    static long sendOps(QpInitAttrEx attr) {
        return attr.vendor() instanceof Mlx5QpInitAttr dv && has(dv, Mlx5QpInitAttrMask.SEND_OPS_FLAGS)
                ? dv.sendOpsFlags()
                : 0;
    }

    /** Creates a queue pair with mlx5-specific attributes; the library has checked the others. */
    static QueuePair qp(Mlx5Context base, QpInitAttrEx attr) {
        String verb = "mlx5dv_create_qp";
        Answers.refuseUnknown(verb, attr, VERBS_KNOWN);
        if (attr.vendor() == null) {
            throw invalid(verb, "vendor is null; set it to an Mlx5QpInitAttr that describes the queue pair");
        }
        Mlx5QpInitAttr dv = VendorContext.vendorAttr(verb, attr.vendor(), Mlx5QpInitAttr.class);
        Answers.refuseUnknown(verb, dv.compMask(), QP_KNOWN);
        boolean dc = has(dv, Mlx5QpInitAttrMask.DC);
        if (dc != (attr.qpType() == QpType.DRIVER)) {
            throw invalid(
                    verb,
                    dc
                            ? "DC requires the type QpType.DRIVER; set it in attr"
                            : "the type DRIVER alone does not say which end of DC it is; set dcType");
        }
        if (dc) {
            VendorContext.requireParents(verb, attr);
            checkDc(verb, attr, dv);
        } else if (has(dv, Mlx5QpInitAttrMask.DCI_STREAMS)) {
            throw invalid(verb, "streams are for a DC initiator; leave them out");
        }
        if ((sendOps(attr) & Mlx5SendOps.MEMCPY) != 0 && base.isJavaPath()) {
            throw unsupported(
                    verb,
                    "sendOpsFlags has MEMCPY, which needs memory that only libmlx5 knows; use -D" + Mlx5Context.PATH
                            + "=native");
        }
        NativeFunction create = Libmlx5.function(verb, 16);
        boolean known = !has(dv, Mlx5QpInitAttrMask.DCI_STREAMS); // the device may not support streams
        return base.createQp(verb, attr, dv.dcType(), known, at -> {
            try (Scratch c = new Scratch(DvQpInitAttrLayout.SIZEOF)) {
                write(c.address(), dv);
                // Java does not know the memory of keys that requests configure, so it cannot copy data from
                // completions there.
                if (!base.isJavaPath() || (sendOps(attr) & KEY_OPS) != 0) {
                    Mlx5QueuePairs.withoutScatter(c.address());
                }
                if (dv.dcType() == Mlx5DcType.DCI) {
                    // Makes libmlx5 disable data in completions, which DC does not support.
                    askFor(at, INITIATOR_OPS);
                } else if (sendOps(attr) != 0) {
                    askFor(at, base.operations(verb, attr) & QpExFunctions.OPERATIONS); // else the usual elements
                }
                return create.call(base.address(), at, c.address());
            }
        });
    }

    private static void askFor(long at, long operations) {
        int mask = NativeMemory.getInt(at + QpInitAttrExLayout.COMP_MASK);
        NativeMemory.putInt(at + QpInitAttrExLayout.COMP_MASK, mask | SEND_OPS_FLAGS);
        NativeMemory.putLong(at + QpInitAttrExLayout.SEND_OPS_FLAGS, operations);
    }

    /** Returns the operations of a queue pair that does not allow any. */
    static long none(String verb, QpInitAttrEx attr) {
        if (attr.sendOpsFlags() != 0) {
            throw unsupported(
                    verb,
                    "sendOpsFlags has " + QpCreateSendOps.toString(attr.sendOpsFlags())
                            + ", which only Java can post to a DC initiator, not libmlx5; use -D" + Mlx5Context.PATH
                            + "=java");
        }
        return 0;
    }

    private static boolean has(Mlx5QpInitAttr attr, long bit) {
        return (attr.compMask() & bit) != 0;
    }

    private static void checkDc(String verb, QpInitAttrEx attr, Mlx5QpInitAttr dv) {
        boolean target = dv.dcType() == Mlx5DcType.DCT;
        if (!target && dv.dcType() != Mlx5DcType.DCI) {
            throw invalid(verb, "dcType is " + dv.dcType() + "; use one of Mlx5DcType");
        }
        if (target == (attr.srq() == null)) {
            throw invalid(
                    verb,
                    target
                            ? "a DC target receives through a shared receive queue; set srq"
                            : "a DC initiator receives nothing; leave srq out");
        }
        if (attr.cap() != null
                && (attr.cap().maxRecvWr() != 0 || target && attr.cap().maxSendWr() != 0)) {
            throw invalid(
                    verb,
                    (target ? "a DC target has no queues of its own" : "a DC initiator has no receive queue")
                            + "; set these capacities to 0");
        }
        if (target && has(dv, Mlx5QpInitAttrMask.DCI_STREAMS | Mlx5QpInitAttrMask.SEND_OPS_FLAGS)) {
            throw invalid(verb, "a DC target has no streams and sends nothing; leave them out");
        }
        Answers.narrow(verb, "logConcurrentStreams", dv.logConcurrentStreams(), BYTE);
        Answers.narrow(verb, "logErroredStreams", dv.logErroredStreams(), BYTE);
    }

    private static void write(long at, Mlx5QpInitAttr dv) {
        NativeMemory.putLong(at + DvQpInitAttrLayout.COMP_MASK, dv.compMask());
        NativeMemory.putInt(at + DvQpInitAttrLayout.CREATE_FLAGS, dv.createFlags());
        NativeMemory.putInt(at + DvQpInitAttrLayout.DC_INIT_ATTR_DC_TYPE, dv.dcType());
        if (dv.dcType() == Mlx5DcType.DCT) {
            NativeMemory.putLong(at + DvQpInitAttrLayout.DC_INIT_ATTR_DCT_ACCESS_KEY, dv.accessKey());
        } else {
            NativeMemory.putByte(
                    at + DvQpInitAttrLayout.DC_INIT_ATTR_DCI_STREAMS_LOG_NUM_CONCURENT, dv.logConcurrentStreams());
            NativeMemory.putByte(
                    at + DvQpInitAttrLayout.DC_INIT_ATTR_DCI_STREAMS_LOG_NUM_ERRORED, dv.logErroredStreams());
        }
        NativeMemory.putLong(at + DvQpInitAttrLayout.SEND_OPS_FLAGS, dv.sendOpsFlags());
    }
}
