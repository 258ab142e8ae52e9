/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpType;
import io.verbs4j.SendFlags;
import io.verbs4j.VerbsException;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.DataBufLayout;
import io.verbs4j.rdmacore.layout.QpExLayout;
import io.verbs4j.rdmacore.layout.SendWrLayout;
import io.verbs4j.rdmacore.layout.SgeLayout;

/**
 * The functions in a {@code struct ibv_qp_ex}, which C's {@code ibv_wr_*} call, and posting by them, for queue pairs
 * created with {@code send_ops_flags}. Only the functions of the requested operations exist; where a function newer
 * than the library would be, the struct holds other data. Used by one thread at a time.
 *
 * <p>From start to complete the driver holds a lock of its own, so nothing that might block happens in between.
 */
public final class QpExFunctions {
    private static final boolean AARCH64 = "aarch64".equals(System.getProperty("os.arch"));

    /** Offset of all members on aarch64, where {@code struct ibv_qp} is larger. */
    private static final int SHIFT = AARCH64 ? QpExLayout.COMP_MASK_AARCH64 - QpExLayout.COMP_MASK : 0;

    /** Offsets of the functions, by opcode. */
    private static final int[] OFFSETS = {
        QpExLayout.WR_RDMA_WRITE,
        QpExLayout.WR_RDMA_WRITE_IMM,
        QpExLayout.WR_SEND,
        QpExLayout.WR_SEND_IMM,
        QpExLayout.WR_RDMA_READ,
        QpExLayout.WR_ATOMIC_CMP_SWP,
        QpExLayout.WR_ATOMIC_FETCH_ADD,
        QpExLayout.WR_LOCAL_INV,
        QpExLayout.WR_BIND_MW,
        QpExLayout.WR_SEND_INV,
        0, // TSO
        0, // vendor-specific
        0, // masked atomics, which C does not have
        0,
        QpExLayout.WR_FLUSH,
        QpExLayout.WR_ATOMIC_WRITE,
    };

    /** Operations that can be built at all, {@link QpCreateSendOps} bits. */
    public static final long OPERATIONS =
            QpCreateSendOps.ATOMIC_WRITE | QpCreateSendOps.FLUSH | (QpCreateSendOps.SEND_WITH_INV << 1) - 1;

    private final long qp;
    private final long struct;
    private final int maxInline;
    private final long buffers;
    private final NativeFunction[] builders = new NativeFunction[OFFSETS.length];
    private final NativeFunction start;
    private final NativeFunction abort;
    private final NativeFunction setSgeList;
    private final NativeFunction setInlineDataList;
    private final NativeFunction setUdAddr;
    private final NativeFunction setXrcSrqn;
    private NativeFunction complete;
    private long completeAddress;
    private NativeFunction hinter;
    private long hinted;
    private int hint;
    private boolean noInlineWrites;
    private SendRoom room; // null if the driver checks the room itself
    private boolean signalsAll;

    /**
     * Reads the functions of a queue pair that was created for operations.
     *
     * @param qp the {@code struct ibv_qp}
     * @param operations {@link QpCreateSendOps} bits; only their functions exist
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the driver lacks a function
     */
    static QpExFunctions of(long qp, int qpType, long operations, int maxSge, int maxInline) {
        long extended = Libibverbs.ibv_qp_to_qp_ex(qp);
        if (extended == 0) {
            throw lacking("has created a queue pair without the ibv_wr_* functions");
        }
        return new QpExFunctions(extended, qpType, operations, maxSge, maxInline);
    }

    QpExFunctions(long extended, int qpType, long operations, int maxSge, int maxInline) {
        qp = extended;
        struct = extended + SHIFT;
        this.maxInline = maxInline;
        start = at(QpExLayout.WR_START);
        complete = at(QpExLayout.WR_COMPLETE);
        completeAddress = NativeMemory.getLong(struct + QpExLayout.WR_COMPLETE);
        abort = at(QpExLayout.WR_ABORT);
        setSgeList = at(QpExLayout.WR_SET_SGE_LIST);
        setInlineDataList = at(QpExLayout.WR_SET_INLINE_DATA_LIST);
        setUdAddr = qpType == QpType.UD ? at(QpExLayout.WR_SET_UD_ADDR) : null;
        setXrcSrqn = qpType == QpType.XRC_SEND ? at(QpExLayout.WR_SET_XRC_SRQN) : null;
        for (int opcode = 0; opcode < OFFSETS.length; opcode++) {
            if (OFFSETS[opcode] != 0 && (operations & QpCreateSendOps.of(opcode)) != 0) {
                builders[opcode] = at(OFFSETS[opcode]);
            }
        }
        buffers = NativeMemory.allocate((long) Math.max(1, maxSge) * DataBufLayout.SIZEOF);
    }

    private NativeFunction at(int offset) {
        long address = NativeMemory.getLong(struct + offset);
        if (address == 0) {
            throw lacking("has no function at offset " + offset + " of struct ibv_qp_ex, where it must have one");
        }
        return NativeFunction.data(address);
    }

    private static VerbsException lacking(String what) {
        return new VerbsException(Errno.EOPNOTSUPP, "create_qp_ex", "the driver " + what);
    }

    /** Rejects RDMA writes with inline data. */
    void refuseInlineWrites() {
        noInlineWrites = true;
    }

    /**
     * Checks the room in the queue before each post.
     *
     * @param all whether each request has a completion
     */
    void keepTo(SendRoom sends, boolean all) {
        room = sends;
        signalsAll = all;
    }

    /** As {@link IbvQp#hintBy}. */
    void hintBy(NativeFunction setter, long object, int word) {
        hinter = setter;
        hinted = object;
        hint = word;
    }

    /** Frees the memory kept beside the queue pair. */
    void free() {
        NativeMemory.free(buffers);
    }

    /**
     * Posts the requests of an area; returns 0, or an errno with {@link SendArea#badIndex} set to the refused request.
     * The driver posts all requests between start and complete, or none. If it posts none, they are posted one at a
     * time, because requests before a refused one count as posted.
     */
    int post(SendArea area, int count) {
        boolean fit = true;
        for (int i = 0; i < count; i++) {
            fit &= fits(area.at(i));
        }
        if (fit) {
            int error = post(area, 0, count);
            if (error == 0 || count == 1) {
                return error;
            }
        }
        for (int i = 0; i < count; i++) {
            int error = fits(area.at(i)) ? post(area, i, i + 1) : Errno.EINVAL;
            if (error != 0) {
                area.refused(i);
                return error;
            }
        }
        return 0;
    }

    /**
     * Returns whether inline data are allowed and not too long. Old libefa accepts a READ with inline data and reads
     * nothing. For data that are too long drivers return the error of a full queue; older libefa does not check writes
     * at all.
     */
    private boolean fits(long wr) {
        if (!isInline(wr)) {
            return true;
        }
        int opcode = NativeMemory.getInt(wr + SendWrLayout.OPCODE);
        if (noInlineWrites && (isWrite(opcode) || opcode == WrOpcode.RDMA_READ)) {
            return false;
        }
        long list = NativeMemory.getLong(wr + SendWrLayout.SG_LIST);
        long total = 0;
        for (int i = 0; i < NativeMemory.getInt(wr + SendWrLayout.NUM_SGE); i++) {
            total += NativeMemory.getInt(list + (long) i * SgeLayout.SIZEOF + SgeLayout.LENGTH);
        }
        return total <= maxInline;
    }

    private static boolean isWrite(int opcode) {
        return opcode == WrOpcode.RDMA_WRITE || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
    }

    private static boolean isInline(long wr) {
        return (NativeMemory.getInt(wr + SendWrLayout.SEND_FLAGS) & SendFlags.INLINE) != 0;
    }

    private int post(SendArea area, int from, int to) {
        int taken = 0;
        while (room != null && from + taken < to) {
            if (!takeRoom(area.at(from + taken))) {
                room.giveBack(taken);
                return Errno.ENOMEM;
            }
            taken++;
        }
        int error = build(area, from, to);
        if (error != 0 && taken != 0) {
            room.giveBack(taken);
        }
        return error;
    }

    /** Posts the request that a vendor's functions build; returns 0 or an errno. */
    int post(OwnRequests<?> own) {
        int elements = own.elements();
        boolean signaled = own.isSignaled(signalsAll);
        int taken = 0;
        while (room != null && taken < elements) {
            if (!room.take(own.wrId(), signaled && (signalsAll || taken == elements - 1))) {
                room.giveBack(taken);
                return Errno.ENOMEM;
            }
            taken++;
        }
        int error = build(own);
        if (error != 0 && taken != 0) {
            room.giveBack(taken);
        }
        return error;
    }

    private int build(OwnRequests<?> own) {
        boolean built = false;
        NativeFunction end = complete();
        start.call(qp);
        try {
            NativeMemory.putLong(struct + QpExLayout.WR_ID, own.wrId());
            NativeMemory.putInt(struct + QpExLayout.WR_FLAGS, own.sendFlags());
            own.build();
            built = true;
        } finally {
            if (!built) { // as below
                abort.call(qp);
            }
        }
        return Answers.errno(end.call(qp));
    }

    private boolean takeRoom(long wr) {
        int flags = NativeMemory.getInt(wr + SendWrLayout.SEND_FLAGS);
        return room.take(
                NativeMemory.getLong(wr + SendWrLayout.WR_ID), signalsAll || (flags & SendFlags.SIGNALED) != 0);
    }

    private int build(SendArea area, int from, int to) {
        boolean built = false;
        NativeFunction end = complete();
        start.call(qp);
        try {
            for (int i = from; i < to; i++) {
                build(area.at(i));
            }
            built = true;
        } finally {
            if (!built) { // for instance a stack overflow: later posts would wait for ever
                abort.call(qp);
            }
        }
        int error = Answers.errno(end.call(qp));
        return error == Errno.ENOSPC ? Errno.ENOMEM : error; // librxe's errno for a full queue
    }

    /** Returns the complete function. Before the queue pair is in RTS, libmlx5 has another function there. */
    private NativeFunction complete() {
        long address = NativeMemory.getLong(struct + QpExLayout.WR_COMPLETE);
        if (address != completeAddress) {
            complete = NativeFunction.data(address);
            completeAddress = address;
        }
        return complete;
    }

    private void build(long wr) {
        int opcode = NativeMemory.getInt(wr + SendWrLayout.OPCODE);
        int word = NativeMemory.getInt(wr + SendWrLayout.IMM_DATA); // in network order, or the key to invalidate
        boolean datagram = setUdAddr != null;
        long addr = NativeMemory.getLong(
                wr + (datagram ? SendArea.DATAGRAM_REMOTE_ADDR : SendWrLayout.WR_RDMA_REMOTE_ADDR));
        int rkey = NativeMemory.getInt(wr + (datagram ? SendArea.DATAGRAM_RKEY : SendWrLayout.WR_RDMA_RKEY));
        NativeFunction builder = builders[opcode];
        NativeMemory.putLong(struct + QpExLayout.WR_ID, NativeMemory.getLong(wr + SendWrLayout.WR_ID));
        NativeMemory.putInt(struct + QpExLayout.WR_FLAGS, NativeMemory.getInt(wr + SendWrLayout.SEND_FLAGS));
        switch (opcode) {
            case WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ -> builder.call(qp, rkey, addr);
            case WrOpcode.RDMA_WRITE_WITH_IMM -> builder.call(qp, rkey, addr, word);
            case WrOpcode.SEND -> builder.call(qp);
            case WrOpcode.SEND_WITH_IMM, WrOpcode.SEND_WITH_INV -> builder.call(qp, word);
            case WrOpcode.LOCAL_INV -> {
                builder.call(qp, word);
                return;
            }
            case WrOpcode.BIND_MW -> {
                long mw = NativeMemory.getLong(wr + SendWrLayout.BIND_MW_MW);
                int key = NativeMemory.getInt(wr + SendWrLayout.BIND_MW_RKEY);
                builder.call(qp, mw, key, wr + SendWrLayout.BIND_MW_BIND_INFO);
                return;
            }
            case WrOpcode.FLUSH -> {
                long length = NativeMemory.getLong(wr + SendArea.FLUSH_LENGTH);
                int type = NativeMemory.getInt(wr + SendArea.FLUSH_TYPE);
                builder.call(qp, rkey, addr, length, type, NativeMemory.getInt(wr + SendArea.FLUSH_LEVEL));
                return;
            }
            case WrOpcode.ATOMIC_WRITE -> {
                builder.call(qp, rkey, addr, wr + SendArea.ATOMIC_VALUE);
                return;
            }
            default -> atomic(builder, opcode, wr);
        }
        if (hint != 0) {
            hinter.call(hinted, hint);
        }
        address(wr);
        data(wr);
    }

    private void atomic(NativeFunction builder, int opcode, long wr) {
        long addr = NativeMemory.getLong(wr + SendWrLayout.WR_ATOMIC_REMOTE_ADDR);
        int rkey = NativeMemory.getInt(wr + SendWrLayout.WR_ATOMIC_RKEY);
        long compareAdd = NativeMemory.getLong(wr + SendWrLayout.WR_ATOMIC_COMPARE_ADD);
        if (opcode == WrOpcode.ATOMIC_FETCH_AND_ADD) {
            builder.call(qp, rkey, addr, compareAdd);
        } else {
            builder.call(qp, rkey, addr, compareAdd, NativeMemory.getLong(wr + SendWrLayout.WR_ATOMIC_SWAP));
        }
    }

    private void address(long wr) {
        if (setUdAddr != null) {
            long ah = NativeMemory.getLong(wr + SendWrLayout.WR_UD_AH);
            int qpn = NativeMemory.getInt(wr + SendWrLayout.WR_UD_REMOTE_QPN);
            setUdAddr.call(qp, ah, qpn, NativeMemory.getInt(wr + SendWrLayout.WR_UD_REMOTE_QKEY));
        } else if (setXrcSrqn != null) {
            setXrcSrqn.call(qp, NativeMemory.getInt(wr + SendWrLayout.QP_TYPE_XRC_REMOTE_SRQN));
        }
    }

    /** Sets the data, even if there are none: libmlx5 finishes a queue element when it gets them. */
    private void data(long wr) {
        long list = NativeMemory.getLong(wr + SendWrLayout.SG_LIST);
        int count = NativeMemory.getInt(wr + SendWrLayout.NUM_SGE);
        if (!isInline(wr)) {
            setSgeList.call(qp, count, list);
            return;
        }
        for (int i = 0; i < count; i++) {
            long from = list + (long) i * SgeLayout.SIZEOF;
            long to = buffers + (long) i * DataBufLayout.SIZEOF;
            NativeMemory.putLong(to + DataBufLayout.ADDR, NativeMemory.getLong(from + SgeLayout.ADDR));
            NativeMemory.putLong(to + DataBufLayout.LENGTH, NativeMemory.getInt(from + SgeLayout.LENGTH));
        }
        setInlineDataList.call(qp, count, buffers);
    }
}
