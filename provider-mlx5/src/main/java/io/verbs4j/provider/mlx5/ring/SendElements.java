/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.SendFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.SendMarkers;
import io.verbs4j.rdmacore.object.WindowLog;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The elements of a send queue, written segment by segment: {@link #open}, what the element holds, {@link #close}; and {@link #ring}
 * for all that were closed. {@link SendRing} calls these for work requests. The lock is held by
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
public abstract class SendElements {
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
            long operations,
            ProtectionDomain pd,
            RegionTable regions,
            WindowLog windows) {}

    /** Most pieces of a fast register. */
    public static final int MAX_FAST_REG_LEN = MrKeyElements.MAX_PIECES;

    /** Those that an element can say. */
    private static final int FLAGS = SendFlags.FENCE | SendFlags.SIGNALED | SendFlags.SOLICITED | SendFlags.INLINE;

    /** A bit for each {@link WrOpcode}, as in {@link io.verbs4j.QpCreateSendOps}. */
    private static final int OPCODES = (1 << WrOpcode.SEND_WITH_INV + 1) - 1;

    /** Inline data of up to so many bytes are copied in a loop. */
    private static final int FEW = 64;

    /** Where an element's first 8 bytes tell how many segments it has. */
    private static final int SEGMENTS = 0x3f;

    private static final VarHandle TAIL;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(SendElements.class, "tail", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final long buf;
    private final long end;
    final int mask;
    final long record;
    final Doorbell doorbell;
    final int qpNum;
    final Transport transport;
    final int transportSize;
    final int allowed;
    private final long own;
    final int signalBits;
    final int maxPost;
    final int maxSge;
    final int maxInline;
    private final ProtectionDomain pd;
    private final RegionTable regions;

    private final WindowLog windowLog;
    private final WindowElements windows;

    /** For each block that a request begins at, its id and, behind that, its number: what a completion asks for is in one place. */
    private final long[] notes;

    private RegionTable.Region lastRegion = RegionTable.Region.NONE;

    int block;
    int head;

    private volatile boolean failed;

    /** What {@link #head} may become, as far as is known; then those that are done are looked for. */
    int limit;

    int nextFence;
    long lastControl;

    /** Whether an element that was written since the doorbell rang has inline data. */
    boolean inline;

    @SuppressWarnings("unused") // through TAIL
    private int tail;

    private int startHead;
    private int startBlock;
    private int startFence;
    private int startWindows;
    private boolean hasWindows;
    private CrossSends cross; // null where it has none
    private MrKeyElements mrKeys; // null where it gives them no memory

    SendElements(Setup s) {
        buf = s.buf;
        end = s.buf + (long) s.blocks * Wqe.BLOCK;
        mask = s.blocks - 1;
        record = s.dbrec + Wqe.SEND_RECORD;
        doorbell = s.doorbell;
        qpNum = s.qpNum;
        transport = s.transport;
        transportSize = transport.size();
        allowed = (int) s.operations & OPCODES;
        own = s.operations & OwnElements.OPERATIONS;
        signalBits = s.signalAll ? Wqe.CTRL_CQ_UPDATE : 0;
        maxPost = s.maxPost;
        limit = s.maxPost;
        maxSge = s.maxSge;
        maxInline = s.maxInline;
        pd = s.pd == null ? null : s.pd.base();
        regions = s.regions;
        windowLog = s.windows;
        windows = new WindowElements(this, s.windows);
        notes = new long[2 * s.blocks];
    }

    /** Becomes one of cross channel, before anything is posted. */
    void crossChannel(CrossPeers peers, boolean managed) {
        cross = new CrossSends(this, peers, managed);
    }

    /** What it has of cross channel. */
    final CrossSends cross() {
        return cross;
    }

    /** From now on it gives memory to such keys. */
    public final void mrKeys(MrKeys keys) {
        mrKeys = new MrKeyElements(this, keys);
    }

    /** Writes the elements about keys; null where there are none. */
    final MrKeyElements mrKeys() {
        return mrKeys;
    }

    // ---- an element, segment by segment: each returns where the next goes

    /** Whether there is no room for another request. */
    public final boolean isFull() {
        return head - limit >= 0 && isStillFull();
    }

    private boolean isStillFull() {
        limit = (int) TAIL.getAcquire(this) + maxPost;
        return head - limit >= 0;
    }

    /** Whether there is room for so many requests. */
    private boolean hasRoom(int places) {
        if (head + places - limit > 0) {
            limit = (int) TAIL.getAcquire(this) + maxPost;
        }
        return head + places - limit <= 0;
    }

    /** How many requests' room an element of so many blocks takes: several where it is longer than others. */
    final int places(int blocks) {
        int share = (mask + 1) / maxPost;
        return (blocks + share - 1) / share;
    }

    /** Takes the room for an element of so many blocks; 0 or an errno. */
    final int take(int blocks) {
        int places = places(blocks);
        if (places > maxPost) {
            return Errno.EINVAL;
        }
        if (!hasRoom(places)) {
            return Errno.ENOMEM;
        }
        head += places - 1;
        return 0;
    }

    /** Whether a request of a number is done, and its completion read. */
    final boolean isDone(int number) {
        return (int) TAIL.getAcquire(this) - number > 0;
    }

    /** A request has failed that is no marker. */
    final void failed() {
        failed = true;
    }

    /** Whether a request has failed since RESET, but for a marker. */
    public final boolean hasFailed() {
        return failed;
    }

    /** Whether all requests are done, and their completions read. */
    public final boolean isEmpty() {
        return isDone(head - 1);
    }

    /** Where the next element begins. */
    public final long place() {
        return elementAt(block);
    }

    /** What goes before the remote segment: as large as the queue pair's type wants it. */
    public final long afterTransport(long at) {
        long seg = at + Wqe.SEGMENT + transportSize;
        return seg == end ? buf : seg;
    }

    /** 0 where the queue pair sends a {@link WrOpcode} with such flags, else an errno. */
    public final int refusal(int opcode, int flags) {
        return (opcode & ~0xf | flags & ~FLAGS) == 0 && (allowed >>> opcode & 1) != 0 ? 0 : Errno.EOPNOTSUPP;
    }

    /** Whether the queue pair sends an operation that C has no work request for, with such flags. */
    final boolean isOwn(int opcode, int flags) {
        return opcode > WrOpcode.SEND_WITH_INV && (own & QpCreateSendOps.of(opcode)) != 0 && (flags & ~FLAGS) == 0;
    }

    /** Writes a segment of two numbers in network order; the ring goes on at its beginning where it ends. */
    public final long words(long seg, long first, long second) {
        NativeMemory.putNetLong(seg, first);
        NativeMemory.putNetLong(seg + Long.BYTES, second);
        long next = seg + Wqe.SEGMENT;
        return next == end ? buf : next;
    }

    /** Writes the remote segment. */
    public final long remote(long seg, long addr, int rkey) {
        return words(seg, addr, Wqe.words(rkey, 0));
    }

    /** Writes the segment of a compare and swap. */
    public final long swap(long seg, long swap, long compare) {
        return words(seg, swap, compare);
    }

    /** Writes that of a fetch and add, which compares nothing: as in libmlx5, that number stays as it is. */
    public final long add(long seg, long add) {
        NativeMemory.putNetLong(seg, add);
        long next = seg + Wqe.SEGMENT;
        return next == end ? buf : next;
    }

    /** Writes a data segment; nothing where it has no length, which to the device would mean 2 GiB. */
    public final long data(long seg, int lkey, long addr, int length) {
        return length == 0 ? seg : words(seg, Wqe.words(length, lkey), addr);
    }

    /** Writes the number of the shared receive queue, for XRC_SEND; the rest of the segment is reserved. */
    public final void srqNum(long at, int srqNum) {
        NativeMemory.putNetInt(at + Wqe.SEGMENT, srqNum);
    }

    /**
     * Writes the address vector, for UD and DCI.
     *
     * @param key the Q_Key in the upper half, or the whole access key
     * @return 0 or an errno
     */
    public final int vector(long at, AddressHandle ah, int remoteNum, long key) {
        if (!(ah instanceof AddressVector vector)
                || ah.pd() != pd && ah.pd().base() != pd
                || !vector.ibv.pin().isOpen()) {
            return Errno.EINVAL;
        }
        long seg = at + Wqe.SEGMENT;
        NativeMemory.copyFew(vector.av, seg, Wqe.AV_SIZE);
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
    public final long copyIn(long to, int lkey, long addr, int length, int rest) {
        if (length < 0 || length > rest) {
            return 0;
        }
        if (length == 0) {
            return to;
        }
        return isRegistered(lkey, addr, length)
                ? copyFrom(addr, to, length)
                : copyPlaced(regions.placed().address(lkey, pd, addr, length), to, length);
    }

    /** From a region whose addresses are not those of its memory, where the address was found. */
    private long copyPlaced(long addr, long to, int length) {
        return addr == 0 ? 0 : copyFrom(addr, to, length);
    }

    private long copyFrom(long addr, long to, int length) {
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

    /** Most data come from where the last came from, which is not looked up again. */
    final boolean isRegistered(int lkey, long addr, int length) {
        return lastRegion.holds(lkey, addr, length) || isFound(lkey, addr, length);
    }

    private boolean isFound(int lkey, long addr, int length) {
        RegionTable.Region found = regions.find(lkey, pd, addr, length);
        if (found != null && found.isAsLongAs(maxInline)) {
            lastRegion = found;
        }
        return found != null;
    }

    /** Ends a segment of inline data, {@code total} bytes; the rest of its last 16 bytes stays as it is. */
    public final long endInline(long seg, int total) {
        inline = true; // also where there are none of them: as in libmlx5
        if (total == 0) {
            return seg;
        }
        NativeMemory.putNetInt(seg, total | Wqe.INLINE);
        long next = seg + (total + Integer.BYTES + Wqe.SEGMENT - 1 & -Wqe.SEGMENT);
        return next >= end ? next - (end - buf) : next;
    }

    /**
     * Writes what is known of an element before its end is.
     *
     * @return where it begins; {@link #isFull} was asked
     */
    public final long open(long wrId, int flags, int immediate) {
        note(block, head, wrId);
        long at = place();
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
    public final void close(long at, long seg, int operation) {
        long length = seg - at;
        int size = (int) (length > 0 ? length : length + (end - buf)) >>> 4;
        long control = NativeMemory.fromNetwork(Wqe.words((block & 0xffff) << 8 | operation, qpNum << 8 | size));
        NativeMemory.putLong(at, control);
        lastControl = control;
        head++;
        block += size + 3 >>> 2;
    }

    /** Posts an element that is written but for its first 8 bytes, as they lie in memory. */
    final void closeRaw(long control) {
        NativeMemory.putLong(elementAt(block), control);
        lastControl = control;
        nextFence = 0;
        head++;
        block += segments(control) + 3 >>> 2;
    }

    /** Takes note of the request of an element. There is a place for each block: nothing else is checked here. */
    final void note(int index, int number, long wrId) {
        NativeMemory.putPairInto(notes, index & mask, wrId, number);
    }

    private int noteAt(int index) {
        return (index & mask) << 1;
    }

    /** The next element waits for those before it, as after the bind of a memory window. */
    public final void fenceNext() {
        nextFence = Wqe.CTRL_SMALL_FENCE;
    }

    /** Writes the elements about memory windows. */
    public final WindowElements windows() {
        return windows;
    }

    /** An element about a memory window is about to be written: what {@link #forget} would take back begins here, or before. */
    final void markWindows() {
        if (!hasWindows) {
            hasWindows = true;
            startWindows = windowLog.mark();
        }
    }

    /** Tells the device of the elements that were closed since a number of requests and a block; there are some. */
    final void ring(int beforeHead, int beforeBlock) {
        if (cross != null && cross.isManaged()) {
            return; // another queue pair lets them begin
        }
        int value = NativeMemory.fromNetwork(block & 0xffff);
        int blocks = block - beforeBlock;
        if (head - beforeHead == 1 && blocks <= doorbell.blueFlame(inline) && segments(lastControl) > 1) {
            long at = elementAt(beforeBlock);
            if (blocks == 1) {
                doorbell.ringBlock(record, value, at);
            } else {
                doorbell.ringBlocks(record, value, at, blocks, buf, end);
            }
        } else {
            doorbell.ring(record, value, lastControl);
        }
    }

    /** The size that an element's first 8 bytes tell; 1 is the control segment alone, which those bytes are the most of. */
    private static int segments(long control) {
        return (int) NativeMemory.fromNetwork(control) & SEGMENTS;
    }

    /** Takes note of where {@link #ring} and {@link #forget} begin. */
    public final void start() {
        inline = false;
        startHead = head;
        startBlock = block;
        startFence = nextFence;
        hasWindows = false;
        if (cross != null) {
            cross.mark();
        }
    }

    /** Tells the device of the elements that were closed since {@link #start}. */
    public final void ring() {
        if (head != startHead) {
            ring(startHead, startBlock);
        }
    }

    /** Takes back what was closed since {@link #start}. */
    final void forget() {
        forgetKeys();
        head = startHead;
        block = startBlock;
        nextFence = startFence;
        if (hasWindows) {
            windowLog.undo(startWindows);
        }
        if (cross != null) {
            cross.undo();
        }
    }

    private void forgetKeys() {
        if (mrKeys != null) {
            mrKeys.undo(startBlock, block);
        }
    }

    // ---- completions, called with the completion queue's lock held

    /** The id of the request that begins at a block, which is done with all before it. As in {@link #note}, nothing else is checked. */
    final long complete(int counter) {
        int at = noteAt(counter);
        long wrId = NativeMemory.getFrom(notes, at);
        TAIL.setRelease(this, (int) NativeMemory.getFrom(notes, at + 1) + 1);
        return wrId;
    }

    /** Whether the request that begins at a block is a marker. */
    final boolean isMarker(int counter) {
        return notes[noteAt(counter)] == SendMarkers.WR_ID;
    }

    /** Whether the request that begins at a block is the last one. */
    final boolean isLast(int counter) {
        return notes[noteAt(counter) + 1] + 1 == head;
    }

    /** A change of a key is done, of a window or of another; the {@link WcOpcode} of the request that it was. */
    final int completeKey(int counter) {
        if (KeyElement.isOne(this, counter)) {
            return KeyElement.WC_OPCODE;
        }
        if (mrKeys != null && mrKeys.isOne(counter)) {
            return mrKeys.opcode(counter);
        }
        return windowLog.succeeded(notes[noteAt(counter)]) == WindowLog.INVALIDATE
                ? WcOpcode.LOCAL_INV
                : WcOpcode.BIND_MW;
    }

    /** The request that begins at a block has failed; to be told before {@link #complete} is, while the element is what it was. */
    final void failedAt(int counter) {
        if (mrKeys != null) {
            mrKeys.failed(counter);
        }
    }

    /** Whether the element at a block changes a key. */
    final boolean isUmr(int counter) {
        return ((int) (NativeMemory.fromNetwork(NativeMemory.getLong(elementAt(counter))) >>> 32) & 0xff) == Wqe.OP_UMR;
    }

    /** A request has failed, which may be about a window. */
    final void failed(long wrId, int status) {
        if (wrId != SendMarkers.WR_ID) {
            failed();
        }
        if (windowLog.isUsed()) {
            windowLog.failed(wrId, status);
        }
    }

    /** How many blocks the element has that begins at a block. */
    final int blocksAt(int counter) {
        return segments(NativeMemory.getLong(elementAt(counter))) + 3 >>> 2;
    }

    /** Where the element begins that begins at a block, which may be counted beyond the end of the ring. */
    final long elementAt(int counter) {
        return NativeMemory.piece(buf + (long) (counter & mask) * Wqe.BLOCK);
    }

    /** Where the ring ends, and begins again. */
    final long wrap(long address) {
        return address >= end ? address - (end - buf) : address;
    }

    /** The queue pair went to RESET: nothing is posted, and counting begins anew. */
    public final void reset() {
        NativeMemory.putIntRelease(record, 0);
        block = 0;
        head = 0;
        limit = maxPost;
        TAIL.setRelease(this, 0);
        failed = false;
        nextFence = 0;
        if (cross != null) {
            cross.reset();
        }
        if (mrKeys != null) {
            mrKeys.reset();
        }
    }
}
