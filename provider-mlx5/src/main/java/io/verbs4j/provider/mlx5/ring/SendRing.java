/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.memory.NativeMemory;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.BadWr;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A send queue, written in Java, segment by segment: {@link #open}, what the element holds, {@link #close}; and {@link #ring} for
 * all that were closed. Builders call these one by one, and {@link #post} does for lists of work requests. The lock is held by
 * whoever writes; completions come from {@link CqRing} under its own.
 *
 * <pre>
 * element  0 control   (16)  opcode, index, size; number of the queue pair; fence, signal, solicited; immediate
 *         16 transport (0)   RC, UC
 *                      (16)  XRC_SEND: number of the shared receive queue
 *                      (48)  UD: address vector with Q_Key and number; DCI: with access key and number
 *         .. remote    (16)  address, rkey                                RDMA and atomics
 *         .. atomic    (16)  swap or add, compare                         atomics
 *         .. data      (16)  length, lkey, address, for each element; or length and the bytes themselves, inline
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
            Transport transport,
            boolean signalAll,
            int maxPost,
            int maxSge,
            int maxInline,
            boolean atomics,
            ProtectionDomain pd,
            RegionTable regions) {}

    /** The operation of {@link #close} for the bind of a memory window. */
    public static final int BIND = Wqe.OP_UMR;

    /** Inline data of up to so many bytes are copied in a loop. */
    private static final int FEW = 64;

    private static final VarHandle TAIL;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(SendRing.class, "tail", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long buf;
    private final long end;
    private final int mask;
    private final long record;
    private final Doorbell doorbell;
    private final int qpNum;
    private final Transport transport;
    private final int transportSize;
    private final int allowed;
    private final int signalBits;
    private final int maxPost;
    private final int maxSge;
    private final int maxInline;
    private final ProtectionDomain pd;
    private final RegionTable regions;

    /** The device's operation for each opcode whose element is one block when it has one data segment, 8 bits each; else 0. */
    private final long simple;

    /** For each block that a request begins at, its id and its number. */
    private final long[] book;

    private int block;
    private int head;
    private int tailSeen;
    private int nextFence;
    private long lastControl;

    @SuppressWarnings("unused") // through TAIL
    private int tail;

    private int startHead;
    private int startBlock;
    private int startFence;

    /** A queue over memory that the device shares. */
    public SendRing(Setup s) {
        buf = s.buf;
        end = s.buf + (long) s.blocks * Wqe.BLOCK;
        mask = s.blocks - 1;
        record = s.dbrec + Wqe.SEND_RECORD;
        doorbell = s.doorbell;
        qpNum = s.qpNum;
        transport = s.transport;
        transportSize = transport.size();
        allowed = transport.opcodes(s.atomics);
        signalBits = s.signalAll ? Wqe.CTRL_CQ_UPDATE : 0;
        maxPost = s.maxPost;
        maxSge = s.maxSge;
        maxInline = s.maxInline;
        pd = s.pd;
        regions = s.regions;
        simple = transportSize == 0 && maxSge != 0 ? Wqe.operations(allowed & ~Wqe.ATOMIC) : 0;
        book = new long[2 * s.blocks];
    }

    // ---- an element, segment by segment: each returns where the next goes

    /** Whether there is no room for another request. */
    public boolean isFull() {
        return head - tailSeen >= maxPost && isStillFull();
    }

    private boolean isStillFull() {
        tailSeen = (int) TAIL.getAcquire(this);
        return head - tailSeen >= maxPost;
    }

    /** Where the next element begins. */
    public long place() {
        return buf + (long) (block & mask) * Wqe.BLOCK;
    }

    /** What goes before the remote segment: as large as the queue pair's type wants it. */
    public long afterTransport(long at) {
        long seg = at + Wqe.SEGMENT + transportSize;
        return seg == end ? buf : seg;
    }

    /** 0 where queue pairs of this type send a {@link WrOpcode}, else an errno. */
    public int refusal(int opcode) {
        return (opcode & ~7) == 0 && (allowed >>> opcode & 1) != 0 ? 0 : transport.refusal(opcode);
    }

    /** The operation of {@link #close} for a {@link WrOpcode} that is not refused. */
    public static int operation(int opcode) {
        return Wqe.operation(opcode);
    }

    /** Writes a segment of two numbers in network order; the ring goes on at its beginning where it ends. */
    public long words(long seg, long first, long second) {
        NativeMemory.putNetLong(seg, first);
        NativeMemory.putNetLong(seg + Long.BYTES, second);
        long next = seg + Wqe.SEGMENT;
        return next == end ? buf : next;
    }

    /** Writes the remote segment. */
    public long remote(long seg, long addr, int rkey) {
        return words(seg, addr, Wqe.words(rkey, 0));
    }

    /** Writes the segment of a compare and swap. */
    public long swap(long seg, long swap, long compare) {
        return words(seg, swap, compare);
    }

    /** Writes that of a fetch and add, which compares nothing: as in libmlx5, that number stays as it is. */
    public long add(long seg, long add) {
        NativeMemory.putNetLong(seg, add);
        long next = seg + Wqe.SEGMENT;
        return next == end ? buf : next;
    }

    /** Writes a data segment; nothing where it has no length, which to the device would mean 2 GiB. */
    public long data(long seg, int lkey, long addr, int length) {
        return length == 0 ? seg : words(seg, Wqe.words(length, lkey), addr);
    }

    /** Writes the number of the shared receive queue, for XRC_SEND; the rest of the segment is reserved. */
    public void srqNum(long at, int srqNum) {
        NativeMemory.putNetInt(at + Wqe.SEGMENT, srqNum);
    }

    /**
     * Writes the address vector, for UD and DCI.
     *
     * @param key the Q_Key in the upper half, or the whole access key
     * @return 0 or an errno
     */
    public int vector(long at, AddressHandle ah, int remoteNum, long key) {
        if (!(ah instanceof AddressVector vector)
                || ah.pd() != pd
                || !vector.pin().isOpen()) {
            return Errno.EINVAL;
        }
        long seg = at + Wqe.SEGMENT;
        NativeMemory.copyFew(vector.av(), seg, Wqe.AV_SIZE);
        if (transport == Transport.UD) {
            NativeMemory.putNetInt(seg, (int) (key >>> 32)); // what is behind it is reserved
        } else {
            NativeMemory.putNetLong(seg, key);
        }
        NativeMemory.putNetInt(seg + Long.BYTES, remoteNum | Wqe.EXTENDED_AV);
        return 0;
    }

    /**
     * Copies data behind what was copied before.
     *
     * @param to where to; at first 4 bytes behind where the segment begins, then what this method has returned
     * @param rest how much more may be copied
     * @return where the next goes; 0 where the data are too long, or not in memory that is registered
     */
    public long copyIn(long to, int lkey, long addr, int length, int rest) {
        if (length < 0 || length > rest) {
            return 0;
        }
        if (length == 0) {
            return to;
        }
        if (!regions.covers(lkey, pd, addr, length)) {
            return 0;
        }
        if (length <= FEW && to + length <= end) {
            NativeMemory.copyFew(addr, to, length);
            return to + length;
        }
        int fits = (int) Math.min(length, end - to);
        NativeMemory.copy(addr, to, fits);
        if (fits == length) {
            return to + length;
        }
        NativeMemory.copy(addr + fits, buf, length - fits);
        return buf + length - fits;
    }

    /** Ends a segment of inline data, {@code total} bytes; the rest of its last 16 bytes stays as it is. */
    public long endInline(long seg, int total) {
        if (total == 0) {
            return seg;
        }
        NativeMemory.putNetInt(seg, total | Wqe.INLINE);
        long next = seg + (total + Integer.BYTES + Wqe.SEGMENT - 1 & -Wqe.SEGMENT);
        return next >= end ? next - (end - buf) : next;
    }

    /** How much data an element takes inline. */
    public int maxInline() {
        return maxInline;
    }

    /** How many data segments an element takes. */
    public int maxSge() {
        return maxSge;
    }

    /** Whether each request says where it goes. */
    public boolean isAddressed() {
        return transportSize != 0;
    }

    /** What the queue pair sends. */
    public Transport transport() {
        return transport;
    }

    /**
     * Writes what is known of an element before its end is.
     *
     * @return where it begins; {@link #isFull} was asked
     */
    public long open(long wrId, int flags, int immediate) {
        int index = block & mask;
        book[2 * index] = wrId;
        book[2 * index + 1] = head;
        long at = buf + ((long) index << 6);
        int bits = Wqe.bits(flags) | signalBits | ((flags & SendFlags.FENCE) != 0 ? Wqe.CTRL_FENCE : nextFence);
        nextFence = 0;
        NativeMemory.putNetLong(at + Long.BYTES, Wqe.words(bits, immediate));
        return at;
    }

    /**
     * Writes the beginning of an element that ends before {@code seg}, which is posted with that.
     *
     * @param operation the device's
     */
    public void close(long at, long seg, int operation) {
        long length = seg - at;
        int size = (int) (length > 0 ? length : length + (end - buf)) >>> 4;
        long control = NativeMemory.fromNetwork(Wqe.words((block & 0xffff) << 8 | operation, qpNum << 8 | size));
        NativeMemory.putLong(at, control);
        lastControl = control;
        head++;
        block += size + 3 >>> 2;
    }

    /** The next element waits for those before it, as after the bind of a memory window. */
    public void fenceNext() {
        nextFence = Wqe.CTRL_SMALL_FENCE;
    }

    /** Tells the device of the elements that were closed since a number of requests and a block; there are some. */
    private void ring(int beforeHead, int beforeBlock) {
        int value = NativeMemory.fromNetwork(block & 0xffff);
        if (head - beforeHead == 1 && block - beforeBlock <= doorbell.blueFlame()) {
            long at = buf + (long) (beforeBlock & mask) * Wqe.BLOCK;
            doorbell.ringBlocks(record, value, at, block - beforeBlock, buf, end);
        } else {
            doorbell.ring(record, value, lastControl);
        }
    }

    /** Takes note of where {@link #ring} and {@link #forget} begin. */
    public void start() {
        startHead = head;
        startBlock = block;
        startFence = nextFence;
    }

    /** Tells the device of the elements that were closed since {@link #start}. */
    public void ring() {
        if (head != startHead) {
            ring(startHead, startBlock);
        }
    }

    /** Takes back what was closed since {@link #start}. */
    void forget() {
        head = startHead;
        block = startBlock;
        nextFence = startFence;
    }

    // ---- lists of work requests

    /** Posts a list; 0 or an errno. */
    public int post(SendWorkRequest first, SendWorkRequest[] badWr) {
        if (first.next() == null && nextFence == 0 && head != tailSeen + maxPost) {
            int operation = Wqe.operation(simple, first.opcode());
            ScatterGatherElement e = onlyElement(first);
            if (operation != 0 && e != null) {
                int b = block;
                long control = putSimple(b, head, first, operation, e);
                if (control != 0) {
                    block = b + 1;
                    head++;
                    int value = NativeMemory.fromNetwork(b + 1 & 0xffff);
                    if (doorbell.blueFlame() != 0) {
                        doorbell.ringBlock(record, value, buf + ((long) (b & mask) << 6));
                    } else {
                        doorbell.ring(record, value, control);
                    }
                    return 0;
                }
            }
        }
        return postList(first, badWr);
    }

    private int postList(SendWorkRequest first, SendWorkRequest[] badWr) {
        int beforeHead = head;
        int beforeBlock = block;
        int error = 0;
        SendWorkRequest wr = first;
        do {
            wr = writeSimple(wr);
            if (wr != null) {
                error = isFull() ? Errno.ENOMEM : writeAny(wr);
                if (error != 0) {
                    BadWr.tell(wr, badWr, error);
                    break;
                }
                wr = wr.next();
            }
        } while (wr != null);
        if (head != beforeHead) {
            ring(beforeHead, beforeBlock);
        }
        return error;
    }

    /**
     * Writes the simple requests that a list begins with: of RC and UC, with one data segment, without a fence. Such an element
     * fits into a block, so that the ring's end need not be looked at; all that changes is in registers.
     *
     * @return the first that is not one, or has no room
     */
    private SendWorkRequest writeSimple(SendWorkRequest first) {
        SendWorkRequest wr = first;
        int b = block;
        int n = head;
        int full = tailSeen + maxPost;
        long control = lastControl;
        long operations = nextFence == 0 ? simple : 0;
        while (wr != null && n != full) {
            int operation = Wqe.operation(operations, wr.opcode());
            ScatterGatherElement e = onlyElement(wr);
            if (operation == 0 || e == null) {
                break;
            }
            long put = putSimple(b, n, wr, operation, e);
            if (put == 0) {
                break;
            }
            control = put;
            b++;
            n++;
            wr = wr.next();
        }
        block = b;
        head = n;
        lastControl = control;
        return wr;
    }

    private long putSimple(int b, int n, SendWorkRequest wr, int operation, ScatterGatherElement e) {
        int immediate = (operation & Wqe.HAS_IMMEDIATE) != 0 ? wr.immData() : 0;
        int flags = wr.sendFlags();
        return (flags & SendFlags.INLINE) != 0
                ? putInline(b, n, operation, wr, e, immediate)
                : putSimple(
                        b,
                        n,
                        operation,
                        wr.wrId(),
                        flags,
                        immediate,
                        wr.rkey(),
                        wr.remoteAddr(),
                        e.lkey(),
                        e.addr(),
                        e.length());
    }

    /**
     * Writes the element of a simple request.
     *
     * @return the first 8 bytes of its control segment, as they are in memory
     */
    private long putSimple(
            int b,
            int n,
            int operation,
            long wrId,
            int flags,
            int immediate,
            int rkey,
            long remoteAddr,
            int lkey,
            long addr,
            int length) {
        int index = b & mask;
        long at = buf + ((long) index << 6);
        long seg = at + Wqe.SEGMENT;
        int size = 2;
        if ((operation & Wqe.IS_SEND) == 0) {
            putRemote(seg, remoteAddr, rkey);
            seg += Wqe.SEGMENT;
            size = 3;
        }
        NativeMemory.putNetLong(seg, Wqe.words(length, lkey));
        NativeMemory.putNetLong(seg + Long.BYTES, addr);
        return putControl(b, n, at, size, operation, wrId, flags, immediate);
    }

    /** The same with inline data; 0 where they do not fit, or are refused. */
    private long putInline(int b, int n, int operation, SendWorkRequest wr, ScatterGatherElement e, int immediate) {
        long at = buf + ((long) (b & mask) << 6);
        long seg = at + Wqe.SEGMENT;
        int size = 2;
        if ((operation & Wqe.IS_SEND) == 0) {
            putRemote(seg, wr.remoteAddr(), wr.rkey());
            seg += Wqe.SEGMENT;
            size = 3;
        }
        int length = e.length();
        int room = Math.min(maxInline, Wqe.BLOCK - (size - 1) * Wqe.SEGMENT - Integer.BYTES);
        if (copyIn(seg + Integer.BYTES, e.lkey(), e.addr(), length, room) == 0) {
            return 0;
        }
        NativeMemory.putNetInt(seg, length | Wqe.INLINE);
        size += length + Integer.BYTES - 1 >>> 4;
        return putControl(b, n, at, size, operation, wr.wrId(), wr.sendFlags(), immediate);
    }

    private static void putRemote(long seg, long addr, int rkey) {
        NativeMemory.putNetLong(seg, addr);
        NativeMemory.putNetLong(seg + Long.BYTES, (long) rkey << 32);
    }

    private long putControl(int b, int n, long at, int size, int operation, long wrId, int flags, int immediate) {
        NativeMemory.putNetLong(at + Long.BYTES, Wqe.words(Wqe.bits(flags) | signalBits, immediate));
        book[2 * (b & mask)] = wrId;
        book[2 * (b & mask) + 1] = n;
        long control = NativeMemory.fromNetwork(Wqe.words((b & 0xffff) << 8 | operation, qpNum << 8 | size));
        NativeMemory.putLong(at, control);
        return control;
    }

    /**
     * Writes a whole element of one data segment, where it is simple.
     *
     * @return whether it is; else it is to be written segment by segment
     */
    public boolean simple(
            int opcode,
            long wrId,
            int flags,
            int immediate,
            int rkey,
            long remoteAddr,
            int lkey,
            long addr,
            int length) {
        int operation = Wqe.operation(simple, opcode);
        if (operation == 0 || (nextFence | flags & SendFlags.FENCE) != 0 || length <= 0 || head == tailSeen + maxPost) {
            return false;
        }
        lastControl = putSimple(block, head, operation, wrId, flags, immediate, rkey, remoteAddr, lkey, addr, length);
        block++;
        head++;
        return true;
    }

    /** The element of a simple request, or null. */
    private static ScatterGatherElement onlyElement(SendWorkRequest wr) {
        ScatterGatherElement[] list = wr.sgList();
        if (wr.numSge() != 1 || (wr.sendFlags() & SendFlags.FENCE) != 0 || list == null || list.length == 0) {
            return null;
        }
        ScatterGatherElement e = list[0];
        return e == null || e.length() == 0 ? null : e;
    }

    private int writeAny(SendWorkRequest wr) {
        int opcode = wr.opcode();
        int flags = wr.sendFlags();
        int refused = refusal(opcode);
        if (refused != 0) {
            return refused;
        }
        long at = place();
        if (transportSize != 0) {
            int error = writeTransport(at, wr);
            if (error != 0) {
                return error;
            }
        }
        long seg = afterTransport(at);
        if ((Wqe.REMOTE >>> opcode & 1) != 0) {
            seg = remote(seg, wr.remoteAddr(), wr.rkey());
        }
        int count = wr.numSge();
        ScatterGatherElement[] list = wr.sgList();
        if (count < 0 || count > maxSge || list == null || list.length < count) {
            return Errno.EINVAL;
        }
        boolean atomic = opcode >= WrOpcode.ATOMIC_CMP_AND_SWP;
        if (atomic) {
            seg = opcode == WrOpcode.ATOMIC_CMP_AND_SWP
                    ? swap(seg, wr.swap(), wr.compareAdd())
                    : add(seg, wr.compareAdd());
        }
        seg = (flags & SendFlags.INLINE) != 0 && count != 0
                ? writeInline(seg, list, count)
                : writeElements(seg, list, count, atomic);
        if (seg == 0) {
            return Errno.EINVAL;
        }
        boolean immediate = (Wqe.IMMEDIATE >>> opcode & 1) != 0;
        open(wr.wrId(), flags, immediate ? wr.immData() : 0);
        close(at, seg, Wqe.operation(opcode));
        return 0;
    }

    private int writeTransport(long at, SendWorkRequest wr) {
        switch (transport) {
            case UD:
                return vector(at, wr.ah(), wr.remoteQpn(), (long) wr.remoteQkey() << 32);
            case XRC:
                srqNum(at, wr.remoteSrqn());
                return 0;
            default:
                return Errno.EOPNOTSUPP; // a DCI's address has no place in a work request
        }
    }

    /** Each element with its own length, or with that of an atomic; 0 where one is null. */
    private long writeElements(long at, ScatterGatherElement[] list, int count, boolean atomic) {
        long seg = at;
        for (int i = 0; i < count; i++) {
            ScatterGatherElement e = list[i];
            if (e == null) {
                return 0;
            }
            int length = e.length();
            seg = data(seg, e.lkey(), e.addr(), atomic && length != 0 ? Wqe.ATOMIC_SIZE : length);
        }
        return seg;
    }

    private long writeInline(long seg, ScatterGatherElement[] list, int count) {
        long to = seg + Integer.BYTES;
        int total = 0;
        for (int i = 0; i < count; i++) {
            ScatterGatherElement e = list[i];
            if (e == null) {
                return 0;
            }
            int length = e.length();
            to = copyIn(to, e.lkey(), e.addr(), length, maxInline - total);
            if (to == 0) {
                return 0;
            }
            total += length;
        }
        return endInline(seg, total);
    }

    // ---- completions, called with the completion queue's lock held

    /** The id of the request that begins at a block, which is done with all before it. */
    long complete(int counter) {
        int entry = (counter & mask) << 1;
        long wrId = book[entry];
        TAIL.setRelease(this, (int) book[entry + 1] + 1);
        return wrId;
    }

    /** Where the data of a read went: the elements behind control and remote segments are looked at again. */
    long elementAt(int counter) {
        return buf + (long) (counter & mask) * Wqe.BLOCK;
    }

    /** Where the ring ends, and begins again. */
    long wrap(long address) {
        return address >= end ? address - (end - buf) : address;
    }

    /** The queue pair went to RESET: nothing is posted, and counting begins anew. */
    public void reset() {
        block = 0;
        head = 0;
        tailSeen = 0;
        TAIL.setRelease(this, 0);
        nextFence = 0;
    }
}
