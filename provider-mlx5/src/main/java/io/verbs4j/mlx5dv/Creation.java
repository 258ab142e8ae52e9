/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.InputAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.mlx5.Mlx5Context;
import io.verbs4j.provider.mlx5.layout.CqInitAttrExLayout;
import io.verbs4j.provider.mlx5.layout.DvCqInitAttrLayout;
import io.verbs4j.rdmacore.Mlx5QueuePairs;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libmlx5;
import io.verbs4j.rdmacore.call.NativeFunction;
import io.verbs4j.rdmacore.layout.DvQpInitAttrLayout;
import io.verbs4j.rdmacore.layout.QpInitAttrExLayout;
import io.verbs4j.rdmacore.memory.NativeMemory;
import io.verbs4j.rdmacore.memory.Scratch;
import io.verbs4j.rdmacore.object.NativeCompletionChannel;

/** Completion queues and queue pairs with what the verbs have no attributes for. */
final class Creation {
    private static final long CQ_KNOWN =
            Mlx5CqInitAttrMask.COMPRESSED_CQE | Mlx5CqInitAttrMask.FLAGS | Mlx5CqInitAttrMask.CQE_SIZE;
    private static final long QP_KNOWN = Mlx5QpInitAttrMask.QP_CREATE_FLAGS
            | Mlx5QpInitAttrMask.DC
            | Mlx5QpInitAttrMask.SEND_OPS_FLAGS
            | Mlx5QpInitAttrMask.DCI_STREAMS;

    /** {@code IBV_QP_INIT_ATTR_SEND_OPS_FLAGS} */
    private static final int SEND_OPS_FLAGS = 1 << 6;

    /** {@code IBV_QP_EX_WITH_*}: writes, sends, reads and atomics. */
    private static final long INITIATOR_OPS = (1 << 9) - 1;

    private static final int BYTE = 0xff;

    private Creation() {}

    private static void refuseUnknown(String verb, InputAttr attr, long known) {
        if (!attr.hasOnly(known, 0)) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the mask is 0x" + Long.toHexString(attr.compMask()) + ", but the provider knows 0x"
                            + Long.toHexString(known) + " only; do without the other attributes");
        }
    }

    private static VerbsException invalid(String verb, String what) {
        return new VerbsException(Errno.EINVAL, verb, what);
    }

    private static boolean has(InputAttr attr, long bit) {
        return (attr.compMask() & bit) != 0;
    }

    static CompletionQueue cq(
            Mlx5Context base,
            int cqe,
            Object userContext,
            CompletionChannel channel,
            int compVector,
            Mlx5CqInitAttr attr) {
        String verb = "mlx5dv_create_cq";
        if (attr == null) {
            throw invalid(verb, "attr is null; pass attributes, or use createCq of the context");
        }
        refuseUnknown(verb, attr, CQ_KNOWN);
        if (has(attr, Mlx5CqInitAttrMask.COMPRESSED_CQE) && base.isJavaPath()) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "Java does not read compressed completions; do without, or use -Dio.verbs4j.mlx5.path=native");
        }
        if (has(attr, Mlx5CqInitAttrMask.CQE_SIZE) && attr.cqeSize() != 64 && attr.cqeSize() != 128) {
            throw invalid(verb, "cqeSize is " + attr.cqeSize() + "; a completion has 64 or 128 bytes");
        }
        int format = Answers.narrow(verb, "cqeCompression", attr.cqeCompression(), BYTE);
        NativeFunction create = Libmlx5.function(verb, 14);
        return base.createCq(cqe, userContext, channel, compVector, () -> {
            try (Scratch c = new Scratch(CqInitAttrExLayout.SIZEOF);
                    Scratch dv = new Scratch(DvCqInitAttrLayout.SIZEOF)) {
                NativeMemory.putInt(c.address() + CqInitAttrExLayout.CQE, cqe);
                NativeMemory.putLong(
                        c.address() + CqInitAttrExLayout.CHANNEL, NativeCompletionChannel.addressOf(channel));
                NativeMemory.putInt(c.address() + CqInitAttrExLayout.COMP_VECTOR, compVector);
                NativeMemory.putLong(dv.address() + DvCqInitAttrLayout.COMP_MASK, attr.compMask());
                NativeMemory.putByte(dv.address() + DvCqInitAttrLayout.CQE_COMP_RES_FORMAT, format);
                NativeMemory.putInt(dv.address() + DvCqInitAttrLayout.FLAGS, attr.flags());
                NativeMemory.putShort(dv.address() + DvCqInitAttrLayout.CQE_SIZE, attr.cqeSize());
                return create.call(base.address(), c.address(), dv.address());
            }
        });
    }

    static QueuePair qp(Mlx5Context base, QpInitAttrEx attr, Mlx5QpInitAttr dv) {
        String verb = "mlx5dv_create_qp";
        if (attr == null || dv == null) {
            throw invalid(verb, (attr == null ? "attr" : "dv") + " is null; pass attributes, or use createQpEx");
        }
        refuseUnknown(verb, dv, QP_KNOWN);
        boolean dc = has(dv, Mlx5QpInitAttrMask.DC);
        if (dc != (attr.qpType() == Mlx5QpType.DRIVER)) {
            throw invalid(
                    verb,
                    dc
                            ? "DC goes with the type Mlx5QpType.DRIVER; set it in attr"
                            : "the type DRIVER means nothing by itself; say which end of DC it is");
        }
        if (dc) {
            checkDc(verb, attr, dv);
        } else if (has(dv, Mlx5QpInitAttrMask.DCI_STREAMS)) {
            throw invalid(verb, "streams are for a DC initiator; leave them out");
        }
        NativeFunction create = Libmlx5.function(verb, 16);
        QpInitAttrEx library = dc ? connected(attr) : attr;
        QueuePair qp = base.createQp(attr, library, dv.dcType(), at -> {
            try (Scratch c = new Scratch(DvQpInitAttrLayout.SIZEOF)) {
                write(c.address(), dv);
                if (!base.isJavaPath()) {
                    Mlx5QueuePairs.withoutScatter(c.address());
                }
                if (dv.dcType() == Mlx5DcType.DCI) {
                    // Tells libmlx5 that data inside completions are not wanted, which DC can't do.
                    int mask = NativeMemory.getInt(at + QpInitAttrExLayout.COMP_MASK);
                    NativeMemory.putInt(at + QpInitAttrExLayout.COMP_MASK, mask | SEND_OPS_FLAGS);
                    NativeMemory.putLong(at + QpInitAttrExLayout.SEND_OPS_FLAGS, INITIATOR_OPS);
                }
                return create.call(base.address(), at, c.address());
            }
        });
        attr.cap(library.cap());
        return qp;
    }

    private static void checkDc(String verb, QpInitAttrEx attr, Mlx5QpInitAttr dv) {
        boolean target = dv.dcType() == Mlx5DcType.DCT;
        if (!target && dv.dcType() != Mlx5DcType.DCI) {
            throw invalid(verb, "dcType is " + dv.dcType() + "; take one of Mlx5DcType");
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

    /** The same with a type that every library knows, for its checks and records. */
    private static QpInitAttrEx connected(QpInitAttrEx attr) {
        QpInitAttrEx same = new QpInitAttrEx()
                .userContext(attr.userContext())
                .sendCq(attr.sendCq())
                .recvCq(attr.recvCq())
                .srq(attr.srq())
                .cap(attr.cap())
                .sqSigAll(attr.sqSigAll())
                .qpType(QpType.RC)
                .pd(attr.pd());
        same.masks(attr.compMask(), attr.compMask2());
        return same;
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
