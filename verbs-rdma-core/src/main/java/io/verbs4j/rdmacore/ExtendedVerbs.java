/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Errno;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpOpenAttrMask;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqInitAttrMask;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdInitAttrMask;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.layout.QpInitAttrExLayout;
import io.verbs4j.rdmacore.layout.QpOpenAttrLayout;
import io.verbs4j.rdmacore.layout.SrqInitAttrExLayout;
import io.verbs4j.rdmacore.layout.XrcdInitAttrLayout;
import io.verbs4j.rdmacore.marshal.QpAttrs;
import io.verbs4j.rdmacore.object.IbvCqEx;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.IbvQp;
import io.verbs4j.rdmacore.object.IbvSrq;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.NativeSharedReceiveQueue;
import io.verbs4j.rdmacore.object.NativeXrcDomain;
import io.verbs4j.slot.CloseXrcd;
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.slot.CreateSrqEx;
import io.verbs4j.slot.GetSrqNum;
import io.verbs4j.slot.OpenQp;
import io.verbs4j.slot.OpenXrcd;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The verbs of level 2. Our table is filled with what the loaded libibverbs has a slot for: a verb that it lacks is an empty
 * slot, which the header tells as such.
 */
final class ExtendedVerbs {
    private static final long XRCD_BITS = XrcdInitAttrMask.FILE | XrcdInitAttrMask.OFLAGS;
    private static final long SRQ_BITS =
            SrqInitAttrMask.TYPE | SrqInitAttrMask.PD | SrqInitAttrMask.XRCD | SrqInitAttrMask.CQ | SrqInitAttrMask.TM;
    private static final long QP_BITS = QpInitAttrMask.PD
            | QpInitAttrMask.XRCD
            | QpInitAttrMask.SEND_OPS_FLAGS
            | QpInitAttrMask.CREATE_FLAGS
            | QpInitAttrMask.MAX_TSO_HEADER
            | QpInitAttrMask.IND_TABLE
            | QpInitAttrMask.RX_HASH;
    private static final long OPEN_BITS =
            QpOpenAttrMask.NUM | QpOpenAttrMask.XRCD | QpOpenAttrMask.CONTEXT | QpOpenAttrMask.TYPE;
    private static final int OPEN_FLAGS = XrcdOpenFlags.CREAT | XrcdOpenFlags.EXCL;
    private static final int NEW_FILE_MODE = 0600;

    private final NativeContext base;
    private final QueueVerbs queues;
    private final ContextFunctions functions;

    ExtendedVerbs(NativeContext base, QueueVerbs queues) {
        this.base = base;
        this.queues = queues;
        this.functions = base.functions();
    }

    void fill(ContextTable table) {
        fill(table, ContextSlot.OPEN_XRCD, ExtendedContextLayout.OPEN_XRCD, (OpenXrcd) this::openXrcd);
        fill(table, ContextSlot.CLOSE_XRCD, ExtendedContextLayout.CLOSE_XRCD, (CloseXrcd) this::closeXrcd);
        fill(table, ContextSlot.CREATE_SRQ_EX, ExtendedContextLayout.CREATE_SRQ_EX, (CreateSrqEx) this::createSrqEx);
        fill(table, ContextSlot.GET_SRQ_NUM, ExtendedContextLayout.GET_SRQ_NUM, (GetSrqNum) this::getSrqNum);
        fill(table, ContextSlot.CREATE_QP_EX, ExtendedContextLayout.CREATE_QP_EX, (CreateQpEx) this::createQpEx);
        fill(table, ContextSlot.OPEN_QP, ExtendedContextLayout.OPEN_QP, (OpenQp) this::openQp);
    }

    private void fill(ContextTable table, int slot, int nativeSlot, Object function) {
        if (functions.extended(nativeSlot) != null) {
            table.fillProvider(slot, function);
        }
    }

    private static VerbsException unknown(String verb, String what) {
        return new VerbsException(Errno.EOPNOTSUPP, verb, what);
    }

    private XrcDomain openXrcd(XrcdInitAttr attr) {
        String verb = "open_xrcd";
        Answers.refuseUnknown(verb, attr, XRCD_BITS);
        Answers.requireKnown(verb, "oflags", attr.oflags(), OPEN_FLAGS, XrcdOpenFlags::toString);
        int fd = attr.file() == null ? -1 : open(verb, attr.file(), attr.oflags());
        try (Scratch c = new Scratch(XrcdInitAttrLayout.SIZEOF)) {
            NativeMemory.putInt(c.address() + XrcdInitAttrLayout.COMP_MASK, (int) XRCD_BITS);
            NativeMemory.putInt(c.address() + XrcdInitAttrLayout.FD, fd);
            // Without a file the kernel wants to be told to make it.
            int oflags = fd == -1 ? attr.oflags() | XrcdOpenFlags.CREAT : attr.oflags();
            NativeMemory.putInt(c.address() + XrcdInitAttrLayout.OFLAGS, oflags);
            long xrcd = slot(ExtendedContextLayout.OPEN_XRCD).call(base.address(), c.address());
            if (xrcd == 0 && fd != -1) {
                throw fileRefused(verb, attr, Answers.errno(-1));
            }
            return new NativeXrcDomain(base.context(), Answers.checkPointer(verb, xrcd));
        } finally {
            if (fd != -1) {
                Libc.close(fd); // the kernel keeps the inode
            }
        }
    }

    /** The kernel says EAGAIN where there is no domain to open, and EINVAL where there is one that was to be new. */
    private static VerbsException fileRefused(String verb, XrcdInitAttr attr, int errno) {
        if (errno == Errno.EAGAIN) {
            return new VerbsException(
                    Errno.ENOENT,
                    verb,
                    "there is no domain of " + attr.file() + " yet; set CREAT in oflags to make it");
        }
        if (errno == Errno.EINVAL && (attr.oflags() & XrcdOpenFlags.EXCL) != 0) {
            return new VerbsException(
                    Errno.EEXIST, verb, "there is a domain of " + attr.file() + " already; leave out EXCL to share it");
        }
        return Answers.failed(verb, errno);
    }

    private static int open(String verb, Path file, int oflags) {
        byte[] path = file.toString().getBytes(StandardCharsets.UTF_8);
        try (Scratch c = new Scratch(path.length + 1)) {
            NativeMemory.putString(c.address(), path);
            int flags = Libc.O_RDWR | Libc.CLOEXEC | ((oflags & XrcdOpenFlags.CREAT) != 0 ? Libc.O_CREAT : 0);
            int fd = Libc.open(c.address(), flags, NEW_FILE_MODE);
            if (fd < 0) {
                throw new VerbsException(Libc.errno(), verb, "the domain's file " + file + " can't be opened");
            }
            return fd;
        }
    }

    private NativeFunction slot(int nativeSlot) {
        return functions.extended(nativeSlot); // not null: else our slot would be empty
    }

    private void closeXrcd(XrcDomain xrcd) {
        Answers.check("close_xrcd", slot(ExtendedContextLayout.CLOSE_XRCD).call(IbvObject.addressOf(xrcd)));
    }

    /** As C's inline function: what {@code ibv_create_srq} can goes there, for drivers without the extended verb. */
    private SharedReceiveQueue createSrqEx(SrqInitAttrEx attr) {
        String verb = "create_srq_ex";
        Answers.refuseUnknown(verb, attr, SRQ_BITS);
        if (attr.srqType() == SrqType.BASIC) {
            return queues.createSrq(attr.pd(), attr.toBase()); // shares the capacities
        }
        int tagSge = attr.srqType() == SrqType.TM ? base.maxTagSge() : 0;
        if (tagSge > 0) {
            requireReadable(verb, attr);
        } else if (attr.srqType() != SrqType.XRC) {
            // Drivers read what such a queue needs besides, for which there are no attributes.
            throw unknown(verb, "the device has no shared receive queues of type " + SrqType.toString(attr.srqType()));
        }
        try (Scratch c = new Scratch(SrqInitAttrExLayout.SIZEOF)) {
            long at = c.address();
            QueueVerbs.writeSrqAttr(at + SrqInitAttrExLayout.ATTR, attr.attr());
            NativeMemory.putInt(at + SrqInitAttrExLayout.COMP_MASK, (int) (attr.compMask() & SRQ_BITS));
            NativeMemory.putInt(at + SrqInitAttrExLayout.SRQ_TYPE, attr.srqType());
            NativeMemory.putLong(at + SrqInitAttrExLayout.PD, IbvObject.addressOf(attr.pd()));
            NativeMemory.putLong(at + SrqInitAttrExLayout.XRCD, IbvObject.addressOf(attr.xrcd()));
            NativeMemory.putLong(at + SrqInitAttrExLayout.CQ, IbvObject.addressOf(attr.cq()));
            NativeMemory.putInt(at + SrqInitAttrExLayout.TM_CAP_MAX_NUM_TAGS, attr.tmMaxNumTags());
            NativeMemory.putInt(at + SrqInitAttrExLayout.TM_CAP_MAX_OPS, attr.tmMaxOps());
            long srq = slot(ExtendedContextLayout.CREATE_SRQ_EX).call(base.address(), at);
            Answers.checkPointer(verb, srq);
            QueueVerbs.readSrqAttr(at + SrqInitAttrExLayout.ATTR, attr.attr());
            return queues.known(
                    tagSge > 0
                            ? new NativeSharedReceiveQueue(
                                    base.context(), attr, new IbvSrq(attr, srq, functions, tagSge))
                            : base.newSharedReceiveQueue(attr, srq));
        }
    }

    /**
     * libmlx5 reads completions of tag matching only one by one. Older libraries do not check for missing attributes.
     */
    private static void requireReadable(String verb, SrqInitAttrEx attr) {
        long needed = SrqInitAttrMask.CQ | SrqInitAttrMask.TM;
        if ((attr.compMask() & needed) != needed || attr.tmMaxNumTags() < 1 || attr.tmMaxOps() < 1) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "a queue of type TM needs a completion queue, and tmCap with numbers from 1");
        }
        if ((attr.cq().wcFlags() & WcExFlags.TM_INFO) == 0
                || !(((NativeCompletionQueue) attr.cq()).ibv instanceof IbvCqEx)) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "the completion queue of a queue of type TM must be made by createCqEx, for TM_INFO: the"
                            + " driver can't poll its completions otherwise");
        }
    }

    private int getSrqNum(SharedReceiveQueue srq) {
        try (Scratch number = new Scratch(Integer.BYTES)) {
            long answer = slot(ExtendedContextLayout.GET_SRQ_NUM).call(IbvObject.addressOf(srq), number.address());
            Answers.check("get_srq_num", answer);
            return NativeMemory.getInt(number.address());
        }
    }

    private QueuePair createQpEx(QpInitAttrEx attr) {
        String verb = "create_qp_ex";
        Answers.refuseUnknown(verb, attr, QP_BITS);
        if (attr.qpType() != QpType.XRC_RECV) {
            return queues.createQp(verb, attr);
        }
        int flags = CreateFlags.of(verb, attr, base.moreCreateFlags());
        if (flags != 0) {
            throw unknown(
                    verb,
                    "createFlags is " + QpCreateFlags.toString(flags) + ", and a queue pair of type XRC_RECV has none");
        }
        long operations = base.operations(verb, attr);
        attr.cap().maxSendWr(0).maxRecvWr(0).maxSendSge(0).maxRecvSge(0).maxInlineData(0); // it has no queues
        try (Scratch c = new Scratch(QpInitAttrExLayout.SIZEOF)) {
            long at = c.address();
            NativeMemory.putInt(at + QpInitAttrExLayout.QP_TYPE, attr.qpType());
            NativeMemory.putInt(at + QpInitAttrExLayout.COMP_MASK, (int) QpInitAttrMask.XRCD);
            NativeMemory.putLong(at + QpInitAttrExLayout.XRCD, IbvObject.addressOf(attr.xrcd()));
            return queues.numbered(() -> {
                // Its messages may be polled by another process, which copies: whoever polls here is not asked.
                long qp = base.device().kernel.isMlx5()
                        ? Mlx5QueuePairs.create(base.address(), at)
                        : slot(ExtendedContextLayout.CREATE_QP_EX).call(base.address(), at);
                Answers.checkPointer(verb, qp);
                QpAttrs.readCap(at + QpInitAttrExLayout.CAP, attr.cap());
                return queues.known(base.newQueuePair(attr, operations, qp));
            });
        }
    }

    private QueuePair openQp(QpOpenAttr attr) {
        String verb = "open_qp";
        Answers.refuseUnknown(verb, attr, OPEN_BITS);
        if (attr.qpType() != QpType.XRC_RECV) {
            throw unknown(verb, "the device shares no queue pairs of type " + QpType.toString(attr.qpType()));
        }
        if (base.device().kernel.isMlx5()) {
            // Seen with rdma-core 44, and 65 reads the same: its destroy_qp frees a doorbell record that such a handle
            // does not have.
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "libmlx5 ends the process when a queue pair that was opened so is closed; use the handle that made it");
        }
        try (Scratch c = new Scratch(QpOpenAttrLayout.SIZEOF)) {
            long at = c.address();
            NativeMemory.putInt(at + QpOpenAttrLayout.COMP_MASK, (int) (attr.compMask() & OPEN_BITS));
            NativeMemory.putInt(at + QpOpenAttrLayout.QP_NUM, attr.qpNum());
            NativeMemory.putLong(at + QpOpenAttrLayout.XRCD, IbvObject.addressOf(attr.xrcd()));
            NativeMemory.putInt(at + QpOpenAttrLayout.QP_TYPE, attr.qpType());
            long qp = slot(ExtendedContextLayout.OPEN_QP).call(base.address(), at);
            Answers.checkPointer(verb, qp);
            QpInitAttrEx without = new QpInitAttrEx().qpType(attr.qpType()); // any queue
            IbvQp ibv = new IbvQp(without, 0, qp, functions, base.regions(), base.windows());
            return queues.known(new NativeQueuePair(base.context(), attr, ibv));
        }
    }
}
