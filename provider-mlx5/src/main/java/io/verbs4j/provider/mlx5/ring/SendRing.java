/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.memory.NativeMemory;
import io.verbs4j.rdmacore.memory.Pin;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.BadWr;

/**
 * A send queue, written in Java. The lock is held by whoever posts; completions come from {@link CqRing} under its own.
 *
 * <pre>
 * element  0 control  (16)  opcode, index, size; number of the queue pair; fence, signal, solicited; immediate
 *         16 XRC      (16)  number of the shared receive queue           XRC_SEND only
 *         .. remote   (16)  address, rkey                                RDMA and atomics
 *         .. atomic   (16)  swap or add, compare                         atomics
 *         .. vector   (48)  address vector, Q_Key, number                UD only
 *         .. data     (16)  length, lkey, address, for each element; or length and the bytes themselves, inline
 * </pre>
 *
 * An element begins at a block of 64 bytes, and goes on at the beginning of the ring where it meets the end.
 */
public final class SendRing {
    /** What a send queue is made of. */
    public record Setup(
            long buf,
            int blocks,
            long dbrec,
            Doorbell doorbell,
            int qpNum,
            int qpType,
            boolean signalAll,
            int maxPost,
            int maxSge,
            int maxInline,
            boolean atomics,
            ProtectionDomain pd,
            RegionTable regions) {}

    /** Inline data of up to so many bytes are copied in a loop. */
    private static final int FEW = 64;

    private final long buf;
    private final long end;
    private final int mask;
    private final long record;
    private final Doorbell doorbell;
    private final int qpNum;
    private final int qpType;
    private final int signalBits;
    private final int maxPost;
    private final int maxSge;
    private final int maxInline;
    private final boolean atomics;
    private final ProtectionDomain pd;
    private final RegionTable regions;

    private final long[] wrIds;
    private final int[] requests;
    private int block;
    private int head;
    private volatile int tail;
    private int nextFence;
    private int size;
    private long seg;

    /** A queue over memory that the device shares. */
    public SendRing(Setup s) {
        buf = s.buf;
        end = s.buf + (long) s.blocks * Wqe.BLOCK;
        mask = s.blocks - 1;
        record = s.dbrec + Wqe.SEND_RECORD;
        doorbell = s.doorbell;
        qpNum = s.qpNum;
        qpType = s.qpType;
        signalBits = s.signalAll ? Wqe.CTRL_CQ_UPDATE : 0;
        maxPost = s.maxPost;
        maxSge = s.maxSge;
        maxInline = s.maxInline;
        atomics = s.atomics;
        pd = s.pd;
        regions = s.regions;
        wrIds = new long[s.blocks];
        requests = new int[s.blocks];
    }

    /** Posts a list; 0 or an errno. */
    public int post(SendWorkRequest first, SendWorkRequest[] badWr) {
        SendWorkRequest wr = first;
        long control = 0;
        int n = 0;
        int error = 0;
        while (wr != null) {
            error = head + n - tail >= maxPost ? Errno.ENOMEM : write(wr);
            if (error != 0) {
                BadWr.tell(wr, badWr, error);
                break;
            }
            int index = block & mask;
            control = buf + (long) index * Wqe.BLOCK;
            wrIds[index] = wr.wrId();
            requests[index] = head + n;
            block += blocksOf(size);
            n++;
            wr = wr.next();
        }
        if (n != 0) {
            ring(n, control);
        }
        return error;
    }

    private static int blocksOf(int segments) {
        return (segments * Wqe.SEGMENT + Wqe.BLOCK - 1) / Wqe.BLOCK;
    }

    private void ring(int n, long control) {
        head += n;
        NativeMemory.exchangeInt(record, NativeMemory.fromNetwork(block & 0xffff));
        doorbell.ring(NativeMemory.getLong(control));
    }

    /** Writes one element; its size is in {@link #size} then. */
    private int write(SendWorkRequest wr) {
        int opcode = wr.opcode();
        int flags = wr.sendFlags();
        if (opcode < WrOpcode.RDMA_WRITE || opcode > WrOpcode.ATOMIC_FETCH_AND_ADD) {
            return Errno.EINVAL;
        }
        if (wr.numSge() < 0 || wr.numSge() > maxSge || wr.sgList() == null || wr.sgList().length < wr.numSge()) {
            return Errno.EINVAL;
        }
        long at = buf + (long) (block & mask) * Wqe.BLOCK;
        seg = at + Wqe.SEGMENT;
        int error = writeTarget(wr, opcode);
        if (error != 0) {
            return error;
        }
        boolean inline = (flags & SendFlags.INLINE) != 0 && wr.numSge() != 0;
        if (inline ? !writeInline(wr) : !writeElements(wr, opcode >= WrOpcode.ATOMIC_CMP_AND_SWP)) {
            return Errno.EINVAL;
        }
        int fence = (flags & SendFlags.FENCE) != 0 ? Wqe.CTRL_FENCE : nextFence;
        nextFence = 0;
        boolean immediate = opcode == WrOpcode.SEND_WITH_IMM || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
        writeControl(at, Wqe.operation(opcode), fence | signal(flags), immediate ? wr.immData() : 0);
        return 0;
    }

    private int signal(int flags) {
        return signalBits
                | ((flags & SendFlags.SIGNALED) != 0 ? Wqe.CTRL_CQ_UPDATE : 0)
                | ((flags & SendFlags.SOLICITED) != 0 ? Wqe.CTRL_SOLICITED : 0);
    }

    /** Writes the control segment, and takes the size from where {@link #seg} has come to. */
    private void writeControl(long at, int operation, int bits, int immediate) {
        long length = seg - at;
        size = (int) ((length > 0 ? length : length + (end - buf)) / Wqe.SEGMENT);
        NativeMemory.putNetLong(at, Wqe.words((block & 0xffff) << 8 | operation, qpNum << 8 | size));
        NativeMemory.putNetLong(at + Long.BYTES, Wqe.words(bits, immediate));
    }

    private int writeTarget(SendWorkRequest wr, int opcode) {
        switch (qpType) {
            case QpType.UD:
                return opcode == WrOpcode.SEND || opcode == WrOpcode.SEND_WITH_IMM ? writeVector(wr) : Errno.EINVAL;
            case QpType.UC:
                if (opcode >= WrOpcode.RDMA_READ) {
                    return Errno.EINVAL;
                }
                break;
            case QpType.XRC_SEND:
                NativeMemory.putNetInt(seg, wr.remoteSrqn()); // the rest of the segment is reserved
                advance(Wqe.SEGMENT);
                break;
            default:
                break;
        }
        if (opcode == WrOpcode.SEND || opcode == WrOpcode.SEND_WITH_IMM) {
            return 0;
        }
        writeWords(wr.remoteAddr(), Wqe.words(wr.rkey(), 0));
        if (opcode >= WrOpcode.ATOMIC_CMP_AND_SWP) {
            if (!atomics) {
                return Errno.EOPNOTSUPP;
            }
            writeAtomic(wr, opcode);
        }
        return 0;
    }

    /** A fetch and add compares nothing: as in libmlx5, that number stays as it is. */
    private void writeAtomic(SendWorkRequest wr, int opcode) {
        if (opcode == WrOpcode.ATOMIC_CMP_AND_SWP) {
            writeWords(wr.swap(), wr.compareAdd());
        } else {
            NativeMemory.putNetLong(seg, wr.compareAdd());
            advance(Wqe.SEGMENT);
        }
    }

    /** Writes a segment of two numbers; the ring goes on at its beginning where it ends. */
    private void writeWords(long first, long second) {
        NativeMemory.putNetLong(seg, first);
        NativeMemory.putNetLong(seg + Long.BYTES, second);
        advance(Wqe.SEGMENT);
    }

    private void advance(int bytes) {
        seg += bytes;
        if (seg == end) {
            seg = buf;
        }
    }

    private int writeVector(SendWorkRequest wr) {
        AddressHandle ah = wr.ah();
        if (!(ah instanceof AddressVector vector)
                || ah.pd() != pd
                || !vector.pin().enter()) {
            return Errno.EINVAL;
        }
        NativeMemory.copyFew(vector.av(), seg, Wqe.AV_SIZE);
        vector.pin().leave();
        NativeMemory.putNetInt(seg, wr.remoteQkey());
        NativeMemory.putNetInt(seg + 8, wr.remoteQpn() | Wqe.EXTENDED_AV);
        advance(Wqe.AV_SIZE);
        return 0;
    }

    private boolean writeElements(SendWorkRequest wr, boolean atomic) {
        ScatterGatherElement[] list = wr.sgList();
        int count = wr.numSge();
        for (int i = 0; i < count; i++) {
            ScatterGatherElement e = list[i];
            if (e == null) {
                return false;
            }
            int length = e.length();
            if (length != 0) { // to the device 0 means 2 GiB
                writeWords(Wqe.words(atomic ? Wqe.ATOMIC_SIZE : length, e.lkey()), e.addr());
            }
        }
        return true;
    }

    /** Copies the data behind a word with its length; the rest of the last segment stays as it is. */
    private boolean writeInline(SendWorkRequest wr) {
        ScatterGatherElement[] list = wr.sgList();
        int count = wr.numSge();
        long lengthAt = seg;
        long to = seg + Integer.BYTES;
        int total = 0;
        for (int i = 0; i < count; i++) {
            ScatterGatherElement e = list[i];
            if (e == null) {
                return false;
            }
            int length = e.length();
            if (length < 0 || length > maxInline - total) {
                return false;
            }
            if (length != 0) {
                long addr = e.addr();
                Pin pin = regions.enter(e.lkey(), pd, addr, length);
                if (pin == null) {
                    return false;
                }
                to = copyIn(addr, to, length);
                pin.leave();
                total += length;
            }
        }
        if (total != 0) {
            NativeMemory.putNetInt(lengthAt, total | Wqe.INLINE);
            seg = lengthAt + (total + Integer.BYTES + Wqe.SEGMENT - 1 & -Wqe.SEGMENT);
            if (seg >= end) {
                seg -= end - buf;
            }
        }
        return true;
    }

    private long copyIn(long from, long to, int length) {
        if (length <= FEW && to + length <= end) {
            NativeMemory.copyFew(from, to, length);
            return to + length;
        }
        int fits = (int) Math.min(length, end - to);
        NativeMemory.copy(from, to, fits);
        if (fits == length) {
            return to + length;
        }
        NativeMemory.copy(from + fits, buf, length - fits);
        return buf + length - fits;
    }

    /** Whether a work request, or a bind, has room. */
    boolean isFull() {
        return head - tail >= maxPost;
    }

    /**
     * Posts the bind of a memory window of type 1: a change of the window's key that the device makes in turn.
     *
     * @param bind writes what is behind the control segment, from its argument on
     */
    public int postBind(long wrId, int flags, int key, BindWriter bind) {
        if (isFull()) {
            return Errno.ENOMEM;
        }
        int index = block & mask;
        long at = buf + (long) index * Wqe.BLOCK;
        seg = at + Wqe.SEGMENT;
        bind.write(this);
        int fence = (flags & SendFlags.FENCE) != 0 ? Wqe.CTRL_FENCE : nextFence;
        nextFence = Wqe.CTRL_SMALL_FENCE;
        writeControl(at, Wqe.OP_UMR, fence | signal(flags), key);
        wrIds[index] = wrId;
        requests[index] = head;
        block += blocksOf(size);
        ring(1, at);
        return 0;
    }

    /** Writes the segments of a bind. */
    @FunctionalInterface
    public interface BindWriter {
        /** Writes them by {@link SendRing#segment}. */
        void write(SendRing ring);
    }

    /** Writes a segment of two numbers in network order. */
    public void segment(long first, long second) {
        writeWords(first, second);
    }

    // ---- completions, called with the completion queue's lock held

    /** The id of the request that begins at a block, which is done with all before it. */
    long complete(int counter) {
        int index = counter & mask;
        tail = requests[index] + 1;
        return wrIds[index];
    }

    /** Where the data of a read went: the elements behind control and remote segments are looked at again. */
    long elementAt(int counter) {
        return buf + (long) (counter & mask) * Wqe.BLOCK;
    }

    /** Where the ring ends, and begins again. */
    long wrap(long address) {
        return address >= end ? address - (end - buf) : address;
    }

    /** The operation of a completion, as {@link WcOpcode}; the caller has excluded errors. */
    static int wcOpcode(int operation) {
        return switch (operation) {
            case Wqe.OP_RDMA_WRITE, Wqe.OP_RDMA_WRITE_IMM -> WcOpcode.RDMA_WRITE;
            case Wqe.OP_RDMA_READ -> WcOpcode.RDMA_READ;
            case Wqe.OP_ATOMIC_CS -> WcOpcode.COMP_SWAP;
            case Wqe.OP_ATOMIC_FA -> WcOpcode.FETCH_ADD;
            case Wqe.OP_UMR -> WcOpcode.BIND_MW;
            default -> WcOpcode.SEND;
        };
    }

    /** The queue pair went to RESET: nothing is posted, and counting begins anew. */
    public void reset() {
        block = 0;
        head = 0;
        tail = 0;
        nextFence = 0;
    }
}
